import { useState } from 'react'

export const useCount = (on: boolean): number => {
  if (!on) return 0
  const [count] = useState(1)
  return count
}
