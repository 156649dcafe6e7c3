import { rest } from '#application/kernel/retry.ts'

/**
 * Does something over and over while the process lives for other things, until it is stopped; stopping waits for its end.
 * @param step says how long to wait until it is done next, in ms; it tells of its failures itself and never rejects
 * @param until ends it as well
 */
export const again = (
  step: (signal: AbortSignal) => Promise<number>,
  firstMs: number,
  until?: AbortSignal,
): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController()
  const signal = until ? AbortSignal.any([stopping.signal, until]) : stopping.signal
  const goOn = async (): Promise<void> => {
    for (let wait = firstMs; ; wait = await step(signal)) {
      await rest(wait, signal, { ref: false })
      if (signal.aborted) return
    }
  }
  const ended = goOn()
  return {
    stop: async () => {
      stopping.abort(new Error('The server is stopping'))
      await ended
    },
  }
}
