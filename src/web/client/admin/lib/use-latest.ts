import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A box with the value of the last render, for handlers and effects that must not change with it. */
export function useLatest<T>(value: T): RefObject<T> {
  const box = useRef(value)
  useLayoutEffect(() => {
    box.current = value
  })
  return box
}
