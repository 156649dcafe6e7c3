/**
 * Work that is done one piece after the other, with a short queue.
 * @param mostWaiting so many may wait behind the one that is done
 * @param refused what whoever comes then gets
 */
export const lane = (mostWaiting: number, refused: () => Error) => {
  let inside = 0
  let last: Promise<unknown> = Promise.resolve()
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inside > mostWaiting) throw refused()
    inside += 1
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      inside -= 1
    }
  }
}
