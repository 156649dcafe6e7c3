/** Does something; when it was stopped meanwhile, its many kinds of breaking off are one: the signal's reason. */
export const inWordsWhenStopped = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
