import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import { Refusal } from '#domain/refusal.ts'

/** What fills a place with another site's log, in many steps. */
type Filling = 'restore' | 'import'

/** Remembers in the engines that a restore or an import is under way, until it is done. */
export interface FillingMark {
  /** of what it is under way here, by the checksum of its log; null when it is not */
  readonly underWay: () => Promise<string | null>
  readonly begin: (logSha256: string) => Promise<void>
  readonly end: (logSha256: string) => Promise<void>
}

export const fillingMark = (filling: Filling, effects: EffectLedger): FillingMark => ({
  underWay: async () => {
    const found = await effects.find(filling)
    return found?.state === 'started' ? found.detail : null
  },
  begin: (logSha256) => effects.replace(filling, 'started', logSha256),
  end: (logSha256) => effects.replace(filling, 'done', logSha256),
})

const words = {
  restore: 'A restore was broken off here: run the same "atelier restore" again, it goes on from there',
  import:
    'An import was broken off here: run the same "atelier events import" again, it goes on from there, or begin in ' +
    'an empty place',
} as const satisfies Record<Filling, string>

/**
 * Keeps a server from starting on a place where a restore or an import was broken off: half a site would be shown, what
 * it writes would stand in the way of the rest, and messages would be mailed again whose mail the log tells of later.
 * @throws {Refusal} in words
 */
export const refuseHalfFilled = async (effects: EffectLedger): Promise<void> => {
  for (const filling of ['restore', 'import'] as const)
    if ((await fillingMark(filling, effects).underWay()) !== null)
      throw new Refusal('blocked', words[filling])
}
