import type { Engines } from '#infrastructure/engine-sets.ts'
import { reactions } from '#jobs/reactions.ts'
import { queueAnew } from '#jobs/runtime/queue-anew.ts'
import { moveReactorToHead } from '#jobs/runtime/reactor.ts'

/** What is said of a log that was taken, and of what else knows the former one. */
export const logTaken = {
  done: 'The log is taken as it is.',
  rest:
    'Pictures that it does not know are put aside by the daily sweep and kept for 30 days. Move the backups of the ' +
    'former log out of BACKUP_DIR: nothing takes their place as long as they hold more.',
} as const

/**
 * Forgets what was made of the log that stood here, and what it answered: its views' places would be taken for places in
 * another log, a repeat of what it alone had would be answered as done, and a job that it alone knows as done would not be
 * done again.
 */
export const forgetFormerLog = async ({
  documents,
  idempotency,
  jobs,
}: Pick<Engines, 'documents' | 'idempotency'> & {
  readonly jobs: Pick<Engines['jobs'], 'forgetDone'>
}): Promise<void> => {
  // Of every version of the program: a way back or forward would go on from a place in the former log.
  await documents.dropAll()
  await idempotency.forgetAll()
  await jobs.forgetDone()
}

/**
 * Goes on with a log that has lost events: what was made of those is forgotten. Accounts, keys and files stay. To be used
 * by whoever is alone on these engines; views are built by the next who projects.
 */
export const takeLog = async (
  engines: Parameters<typeof forgetFormerLog>[0] &
    Pick<Engines, 'eventStore' | 'checkpoints' | 'effects' | 'jobs'> & {
      readonly logMark: Pick<Engines['logMark'], 'place'>
    },
): Promise<void> => {
  await forgetFormerLog(engines)
  // What waited for room, or for a version that knows it, waits nowhere any more; and what had ended in the lost events has not.
  await moveReactorToHead(engines, () => queueAnew({ ...engines, reactions }, new AbortController().signal))
  // Behind those: until it stands, a start is refused.
  await engines.logMark.place(await engines.eventStore.head())
}
