/** Does nothing for so long; ends early, and never fails, when the signal is aborted. */
export const pause = async (
  ms: number,
  signal?: AbortSignal,
  { ref = true }: { readonly ref?: boolean } = {},
): Promise<void> => {
  if (signal?.aborted === true) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = (): void => resolve()
  const timer = setTimeout(end, ms)
  if (!ref) timer.unref()
  signal?.addEventListener('abort', end)
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', end)
}

/** Between half of the time and all of it, so that many who wait do not come back together. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2)

/** Pauses before the next try, in ms: twice as long each time, up to the longest. */
interface Pauses {
  readonly firstMs: number
  readonly longestMs: number
}

export interface Retrying extends Pauses {
  readonly signal: AbortSignal
  /** Whether trying again would not help: such an error is thrown at once. */
  readonly isFinal?: (error: unknown) => boolean
  /** Told of each other try that failed, and how long the next one waits at most. */
  readonly onFailure: (error: unknown, retryInMs: number) => void
}

/**
 * Does something again until it is done.
 * @param call tells by `gotOn` that it has come further: the next pause is the first again
 * @throws what is final, and the signal's reason when aborted
 */
export const retry = async <T>(
  call: (gotOn: () => void) => Promise<T>,
  { firstMs, longestMs, signal, isFinal, onFailure }: Retrying,
): Promise<T> => {
  let pauseMs = firstMs
  const gotOn = (): void => void (pauseMs = firstMs)
  for (;;) {
    signal.throwIfAborted()
    try {
      return await call(gotOn)
    } catch (error) {
      if (isFinal?.(error) === true) throw error
      signal.throwIfAborted()
      onFailure(error, pauseMs)
      await pause(jittered(pauseMs), signal)
      pauseMs = Math.min(2 * pauseMs, longestMs)
    }
  }
}
