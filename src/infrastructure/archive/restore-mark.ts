import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import { Refusal } from '#domain/refusal.ts'

const key = 'restore'

/** Remembers in the engines that a restore is under way, until it is done. */
export interface RestoreMark {
  /** which backup is being restored here, by the checksum of its log; null when none is */
  readonly underWay: () => Promise<string | null>
  readonly begin: (logSha256: string) => Promise<void>
  readonly end: (logSha256: string) => Promise<void>
}

export const restoreMark = (effects: EffectLedger): RestoreMark => ({
  underWay: async () => {
    const found = await effects.find(key)
    return found?.state === 'started' ? found.detail : null
  },
  begin: (logSha256) => effects.replace(key, 'started', logSha256),
  end: (logSha256) => effects.replace(key, 'done', logSha256),
})

/**
 * Keeps a server from starting on a place where a restore was broken off: half a site would be shown, and
 * what it writes would stand in the way of the rest.
 * @throws {Refusal} in words
 */
export const refuseHalfRestored = async (effects: EffectLedger): Promise<void> => {
  if ((await restoreMark(effects).underWay()) === null) return
  throw new Refusal(
    'blocked',
    'A restore was broken off here: run the same "atelier restore" again, it goes on from there',
  )
}
