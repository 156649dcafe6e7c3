import { neededOriginals } from '#application/images/lacking.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import type { BackedUp } from '#infrastructure/archive/backup.ts'
import type { Filled, FillOptions, FillProgress } from '#infrastructure/archive/restore.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { reactions } from '#jobs/reactions.ts'
import { queueAnew } from '#jobs/runtime/queue-anew.ts'
import { moveReactorToHead } from '#jobs/runtime/reactor.ts'
import { counted } from '#domain/list-in-words.ts'
import type { Progress } from './command/operation.ts'
import { forgetFormerLog } from './take-log.ts'

/** What bringing a site into a place asks of the modules, and what is settled there before and after it. */
export const settling = (
  engines: Engines,
): Pick<FillOptions, 'needed' | 'neededKeys' | 'onBegin' | 'onEnd'> => ({
  needed: neededOriginals,
  neededKeys: neededMessageKeys,
  onBegin: async () => {
    await forgetFormerLog(engines)
    // The log that stood here once may have been longer than the one that comes.
    await engines.logMark.place(await engines.eventStore.head())
  },
  onEnd: async () => {
    // What followed from most events was done where the site comes from; the rest is gone on with here.
    await moveReactorToHead(engines)
    await queueAnew({ ...engines, reactions }, new AbortController().signal)
  },
})

const units = { check: 'bytes', files: 'files', events: 'events', compare: 'files' } as const

/** What is said of each step. */
export type FillingWords = Readonly<Record<FillProgress['what'], string>>

export const fillingInWords = ({ what, done, total }: FillProgress, words: FillingWords): Progress => ({
  what: words[what],
  done,
  total,
  unit: units[what],
})

export const restoreDoings: FillingWords = {
  check: 'Checking the backup',
  files: 'Bringing back the pictures',
  events: 'Bringing back the log',
  compare: 'Comparing what was brought back',
}

/** Counts what a backup or a move holds. */
export const countsInWords = (counts: BackedUp['counts'] | Filled['counts']): string =>
  [
    counted(counts.events, 'event'),
    counted(counts.files, 'picture file'),
    counted(counts.accounts, 'account'),
    counted(counts.keys, 'message key'),
  ].join(', ')
