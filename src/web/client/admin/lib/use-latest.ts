import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** A box with the value of the last render, for handlers and effects that must not change with it. */
export function useLatest<T>(value: T): RefObject<T> {
  const box = useRef(value)
  useLayoutEffect(() => {
    box.current = value
  })
  return box
}

/** Whether what draws with it still stands, for whoever has waited for something. */
export function useIsThere(): RefObject<boolean> {
  const isThere = useRef(false)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  return isThere
}
