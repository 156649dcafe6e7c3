import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import { Refusal } from '#domain/refusal.ts'

/** What fills a place with another site's log, in many steps. */
const fillings = ['restore', 'move', 'import'] as const
export type Filling = (typeof fillings)[number]

/** Remembers in the engines that a place is being filled, until it is done. */
export interface FillingRecord {
  /** of what it is under way here: the checksum of its log, of a move what its site is known by; null when it is not */
  readonly underWay: () => Promise<string | null>
  /** The same, but null also while what comes is only read: nothing of it is here yet. */
  readonly begun: () => Promise<string | null>
  /** Whether one has come to its end here. */
  readonly hasEnded: () => Promise<boolean>
  /** Under way from here on, although nobody knows yet of what. */
  readonly beginReading: () => Promise<void>
  readonly begin: (identity: string) => Promise<void>
  readonly end: (identity: string) => Promise<void>
  /** Ends one that has not come to its end, and never will. */
  readonly drop: () => Promise<void>
}

/** In the place of an identity: no checksum and no site's looks like it. One that ended with it was dropped. */
const onlyRead = 'only read'

export const fillingRecord = (filling: Filling, effects: EffectLedger): FillingRecord => {
  const underWay = async (): Promise<string | null> => {
    const found = await effects.find(filling)
    return found?.state === 'started' ? found.detail : null
  }
  return {
    underWay,
    begun: async () => {
      const found = await underWay()
      return found === onlyRead ? null : found
    },
    hasEnded: async () => {
      const found = await effects.find(filling)
      return found?.state === 'done' && found.detail !== onlyRead
    },
    beginReading: () => effects.replace(filling, 'started', onlyRead),
    begin: (identity) => effects.replace(filling, 'started', identity),
    end: (identity) => effects.replace(filling, 'done', identity),
    drop: async () => {
      if ((await underWay()) !== null) await effects.replace(filling, 'done', onlyRead)
    },
  }
}

/** Drops what of a kind was broken off while it was only read. */
export const dropOnlyRead = async (filling: Filling, effects: EffectLedger): Promise<void> => {
  const record = fillingRecord(filling, effects)
  if ((await record.begun()) === null) await record.drop()
}

/**
 * Drops what of other kinds was broken off in a log that one kind has filled from its first event on: of no matter any more,
 * it would only keep every server from starting.
 */
export const dropOtherFillings = async (effects: EffectLedger, done: Filling): Promise<void> => {
  for (const filling of fillings) {
    if (filling !== done) await fillingRecord(filling, effects).drop()
  }
}

const words = {
  restore:
    'A restore was broken off here: run the same "atelier restore" again, it goes on from there, or begin in an empty place',
  move:
    'A move to this place was broken off: run the same "atelier move" again, it goes on from there. The site is whole ' +
    'where it comes from',
  import:
    'An import was broken off here: run the same "atelier events import" again, it goes on from there, or begin in ' +
    'an empty place',
} as const satisfies Record<Filling, string>

/** What is said of a place where filling it was broken off. */
export const brokenOffInWords = (filling: Filling): string => words[filling]

/** Why a place is not whole: filling it is under way or was broken off; null when it is. */
export const halfFilled = async (effects: EffectLedger): Promise<string | null> => {
  for (const filling of fillings)
    if ((await fillingRecord(filling, effects).underWay()) !== null) return words[filling]
  return null
}

/**
 * Keeps a server from starting on a place where filling it was broken off: half a site would be shown, what
 * it writes would stand in the way of the rest, and messages would be mailed again whose mail the log tells of later. A
 * backup or an export of it would be told to be whole.
 * @throws {Refusal} in words
 */
export const refuseHalfFilled = async (effects: EffectLedger): Promise<void> => {
  const why = await halfFilled(effects)
  if (why !== null) throw new Refusal('blocked', why)
}
