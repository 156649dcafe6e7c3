import { setTimeout as pause } from 'node:timers/promises'

/** Pauses before the next try, in ms: twice as long each time, up to the longest. */
export interface Pauses {
  readonly firstMs: number
  readonly longestMs: number
}

/**
 * Starts something until it has started.
 * @param onFailure told of each try that failed, and how long the next one waits
 * @throws the signal's reason when aborted; nothing else
 */
export const keepStarting = async <T>(
  start: () => Promise<T>,
  { firstMs, longestMs }: Pauses,
  signal: AbortSignal,
  onFailure: (error: unknown, retryInMs: number) => void,
): Promise<T> => {
  for (let wait = firstMs; ; wait = Math.min(2 * wait, longestMs)) {
    signal.throwIfAborted()
    try {
      return await start()
    } catch (error) {
      signal.throwIfAborted()
      onFailure(error, wait)
      await pause(wait, undefined, { signal })
    }
  }
}
