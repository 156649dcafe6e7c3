import { once } from 'node:events'
import { pause } from '#application/kernel/retry.ts'
import type { Config } from '#infrastructure/config/config.ts'

/** So long a command that was stopped makes things tidy before it is looked what keeps it, in ms. */
const tidyMs = 200
/** Until a server must give a sign of life, in ms. */
const signMs = 500

const stopped = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

/** What comes of work that leaves nothing to make tidy. @throws the signal's reason as soon as it is aborted */
export const unlessStopped = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    stopped(signal).then(() => {
      throw signal.reason
    }),
  ])

/**
 * What comes of a command; once it was stopped, its servers are not waited for. What is left then is what a kill leaves, and
 * each command goes on from that.
 * @throws the signal's reason when it was stopped and a server that the settings name gives no sign of life
 */
export const unlessServerKeepsIt = async <T>(
  config: Config,
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T> => {
  let hasEnded = false
  const kept = async (): Promise<void> => {
    await stopped(signal)
    // Asked for as long as it takes: one that answered may be away a moment later.
    while (!hasEnded) {
      await pause(tidyMs)
      const { isAnySilent } = await import('#infrastructure/cluster/why-away.ts')
      if (await isAnySilent(config, signMs)) return
    }
  }
  const inVain = kept().then(() => {
    throw signal.reason
  })
  try {
    return await Promise.race([work, inVain])
  } finally {
    hasEnded = true
  }
}
