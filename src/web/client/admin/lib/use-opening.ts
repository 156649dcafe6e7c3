import { useEffect, useEffectEvent, useRef } from 'react'

/** Does once what a form or dialog was opened for, also where React mounts it twice. */
export function useOpening(begin: () => void): void {
  const isOpened = useRef(false)
  const open = useEffectEvent(begin)
  useEffect(() => {
    if (isOpened.current) return
    isOpened.current = true
    open()
  }, [])
}
