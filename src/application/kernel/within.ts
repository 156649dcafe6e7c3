/**
 * Waits for something, but no longer than `ms` milliseconds: then comes what `late` gives or throws. What was waited
 * for may still end; nobody hears of it.
 */
export const within = async <T, L>(awaited: Promise<T>, ms: number, late: () => L): Promise<T | L> => {
  // Heard of in the race, unless it fails when that is over.
  awaited.catch(() => undefined)
  const over = Promise.withResolvers<L>()
  const timer = setTimeout(() => {
    try {
      over.resolve(late())
    } catch (error) {
      over.reject(error)
    }
  }, ms)
  try {
    return await Promise.race([awaited, over.promise])
  } finally {
    clearTimeout(timer)
  }
}
