import { useState } from 'react'

/** The moment at which this part of the screen appeared, for "today" and "yesterday". */
export function useNow(): Date {
  const [now] = useState(() => new Date())
  return now
}
