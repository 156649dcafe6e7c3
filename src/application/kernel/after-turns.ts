/** In so many parts a time is counted: a moment without a turn, however long, is one of them. */
const parts = 10

/**
 * Calls back after `ms` in which this process had its turns, and heard what came: that a busy machine keeps it from them is
 * no fault of the other side.
 */
export const afterTurns = (ms: number, late: () => void): { readonly end: () => void } => {
  let isOver = false
  let left = parts
  let timer: NodeJS.Timeout
  const count = (): void => {
    if (isOver) return
    left -= 1
    if (left < 0) late()
    else timer = setTimeout(() => setImmediate(count), ms / parts)
  }
  count()
  return {
    end: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}
