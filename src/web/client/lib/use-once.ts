import { useEffect, useRef } from 'react'

/** Does the first thing that it is given, and nothing after that: going Back twice would leave the page. */
export function useOnce(): (act: () => void) => void {
  const done = useRef(false)
  useEffect(() => {
    // A document that comes back as it was left begins anew.
    const again = (): void => {
      done.current = false
    }
    addEventListener('pageshow', again)
    return () => removeEventListener('pageshow', again)
  }, [])
  return (act) => {
    if (done.current) return
    done.current = true
    act()
  }
}
