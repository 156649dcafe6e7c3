import { useState } from 'react'

/**
 * A record as it is now, or as it was last known: deleted elsewhere while it is edited, it must not take what was
 * typed with it.
 * @param now the record in its list; undefined once it is not there any more
 * @param opened the record as it was when the form opened
 */
export function useLastKnown<T>(now: T | undefined, opened: T): T {
  const [last, setLast] = useState(opened)
  if (now !== undefined && now !== last) setLast(now)
  return now ?? last
}
