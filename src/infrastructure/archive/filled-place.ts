import type { EventStore } from '#application/kernel/ports/event-store.ts'
import type { LogMark } from '#application/kernel/ports/log-mark.ts'
import { Refusal } from '#domain/refusal.ts'
import type { DocumentEngines } from '../engine-sets.ts'
import {
  brokenOffInWords,
  dropOnlyRead,
  type Filling,
  fillingRecord,
  refuseHalfFilled,
} from './filling-record.ts'
import type { CheckedArchive } from './read-archive.ts'

/** The place that a site is brought into, on whatever engines. */
export interface FilledStores
  extends Pick<DocumentEngines, 'files' | 'accounts' | 'sessions' | 'keyVault' | 'effects'> {
  readonly eventStore: EventStore
  readonly logMark: Pick<LogMark, 'read'>
}

/** What is to be brought, as it was found when all of it was read. */
export interface FillContents
  extends Pick<CheckedArchive, 'createdAt' | 'counts' | 'entries' | 'logSha256' | 'accounts'> {
  /** by which it is known when it is brought again */
  readonly identity: string
}

/** What brings a site into a place: what is told of it is not the same. */
export type Bringing = Exclude<Filling, 'import'>

/** The way on where a place is taken. */
const emptyPlace = 'an empty place (another DATA_DIR, or servers with another NAMESPACE)'
/** What is said of a place that a site would move to, and where one is. */
export const placeTaken = `There is a site already where this one would move to, and it would be lost: move into ${emptyPlace}`
const ofOther =
  'beside the empty log is another site’s, or of an account made anew since, which would be lost: give each engine ' +
  `${emptyPlace}, or mend the settings`

/** What is said of a place that does not do, or of what came there otherwise than it was. */
export const words = {
  restore: {
    there: `There is a site here already, and it would be lost: restore into ${emptyPlace}`,
    ended: 'A restore came to its end here: where it was this one, nothing is left to do',
    beside: `What is here ${ofOther}`,
    other: `A restore of another backup was broken off here: go on with that one, or begin in ${emptyPlace}`,
    differs: 'is not what the backup holds: check the disk, then restore again',
  },
  move: {
    there: placeTaken,
    ended:
      'A move came to its end there: where it was this one, run a moment ago, nothing is left to do; what the site has had since ' +
      'is not there',
    beside: `What is there ${ofOther}`,
    other: `A move of another site was broken off there: go on with that one, or move into ${emptyPlace}`,
    differs: 'is not what it is where it comes from: check the disk there, then move again',
  },
} as const satisfies Record<Bringing, unknown>

/** Whether what stands beside an empty log is another site's: that log may be lost, or on a server of its own. */
const isOfOther = async (
  { logMark, accounts }: FilledStores,
  brought: FillContents['accounts'],
): Promise<boolean> => {
  // A first start that came no further than to its account.
  if ((await logMark.read()) === 'empty') return false
  const there = await accounts.all()
  const ids = new Set(brought.map(({ id }) => id))
  return there.length > 0 && !there.some(({ id }) => ids.has(id))
}

/** Whether what was begun is what is brought now; an earlier version knew a site that moves by its first event's id alone. */
const isSame = (begun: string, { identity }: FillContents): boolean =>
  begun === identity || identity.startsWith(`${begun} `)

const otherThan = (bringing: Bringing): Bringing => (bringing === 'move' ? 'restore' : 'move')

/**
 * Refuses a place that is not empty. A place where the same was broken off counts as empty for it.
 * @param contents what is brought; null while it is not known yet
 * @throws {Refusal} in words
 */
export const refuseContent = async (
  site: FilledStores,
  bringing: Bringing,
  contents: FillContents | null,
): Promise<void> => {
  const record = fillingRecord(bringing, site.effects)
  const begun = await record.begun()
  // Also before its first event: its pictures and keys may be here, which nothing of this one would take away.
  if (begun !== null && contents !== null && !isSame(begun, contents))
    throw new Refusal('blocked', words[bringing].other)
  const other = otherThan(bringing)
  if (begun === null && (await fillingRecord(other, site.effects).begun()) !== null)
    throw new Refusal('blocked', brokenOffInWords(other))
  if ((await site.eventStore.head()) === null) {
    if (contents !== null && begun === null && (await isOfOther(site, contents.accounts)))
      throw new Refusal('blocked', words[bringing].beside)
    return
  }
  if (begun === null) {
    // Of a place that was empty then: of no matter beside a log.
    await dropOnlyRead(bringing, site.effects)
    await refuseHalfFilled(site.effects)
    // One that is killed in its last moment has not said so.
    const { there, ended } = words[bringing]
    throw new Refusal('blocked', (await record.hasEnded()) ? `${there}. ${ended}` : there)
  }
}

/** @throws {Refusal} where something has been written to the log meanwhile */
const refuseUnlessEmpty = async ({ eventStore }: FilledStores, bringing: Bringing): Promise<void> => {
  if ((await eventStore.head()) !== null) throw new Refusal('blocked', words[bringing].there)
}

/**
 * Reads all of what comes, then begins to bring it. One that is killed meanwhile has left word of it: on a place that is
 * still empty a start would begin a first site.
 * @returns also whether it goes on with one that was broken off
 * @throws {Refusal} with no word left: nothing was brought, and it would stand in the way of whoever comes; the signal's
 *   reason when aborted: whoever stops it by hand has left what a kill leaves
 */
export const readFirst = async (
  site: FilledStores,
  bringing: Bringing,
  signal: AbortSignal,
  read: () => Promise<FillContents>,
): Promise<{ readonly contents: FillContents; readonly goesOn: boolean }> => {
  const record = fillingRecord(bringing, site.effects)
  const goesOn = (await record.begun()) !== null
  if (!goesOn) await dropOnlyRead(otherThan(bringing), site.effects)
  // Beside what is left of a site no start begins another, and the log of that one may come back.
  if (!goesOn && !(await isOfOther(site, []))) await record.beginReading()
  try {
    const contents = await read()
    signal.throwIfAborted()
    await refuseContent(site, bringing, contents)
    await record.begin(contents.identity)
    signal.throwIfAborted()
    if (!goesOn) await refuseUnlessEmpty(site, bringing)
    return { contents, goesOn }
  } catch (error) {
    const byHand = signal.aborted && !(signal.reason instanceof Refusal)
    // Why it was refused is worth more than why an engine keeps the word.
    if (!goesOn && !byHand) await record.drop().catch(() => undefined)
    throw error
  }
}
