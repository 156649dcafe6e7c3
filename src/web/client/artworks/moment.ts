import { useEffect, useState } from 'react'

const MOMENT_MS = 2_000

/** True for two seconds after `begin`, as long as a button says what it has done. */
export function useMoment(): { now: boolean; begin: () => void } {
  const [begun, setBegun] = useState(0)
  useEffect(() => {
    if (begun === 0) return
    const wait = setTimeout(() => setBegun(0), MOMENT_MS)
    return () => clearTimeout(wait)
  }, [begun])
  return { now: begun > 0, begin: () => setBegun((times) => times + 1) }
}
