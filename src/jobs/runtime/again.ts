import { pause } from '#application/kernel/retry.ts'
import { untilStopped } from '#application/kernel/until-stopped.ts'

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
  const { stop } = untilStopped(async (stopping) => {
    const signal = until ? AbortSignal.any([stopping, until]) : stopping
    for (let wait = firstMs; ; wait = await step(signal)) {
      await pause(wait, signal, { ref: false })
      if (signal.aborted) return
    }
  })
  return { stop }
}
