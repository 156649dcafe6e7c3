import type { Position } from '#application/kernel/ports/event-store.ts'
import type { EffectLedger, JobQueue, QueueMemory } from '#application/kernel/ports/job-queue.ts'

/** Which life of the queue was seen last, kept where the reactor's place is. */
const seenLife = 'queue-life-seen'

/**
 * How a queue stands to what is remembered of it: `other`, when it is another one or knows less than it once did;
 * `new`, when nothing is remembered, or only by an earlier version, which noted no place.
 */
export type QueueState = 'same' | 'other' | 'new'

/**
 * @param place where the reactor stood before the queue was asked: it notes in the queue first, then moves
 * @param seen the word that was remembered
 */
export const judgeQueue = (
  memory: QueueMemory | null,
  seen: string | null,
  place: Position | null,
): QueueState => {
  if (seen === null) return 'new'
  if (memory?.life !== seen) return 'other'
  if (memory.queued === null) return 'new'
  return (memory.queued.position ?? '') >= (place ?? '') ? 'same' : 'other'
}

/** The word that is remembered of the queue; null when none is. */
export const seenQueue = async (effects: Pick<EffectLedger, 'find'>): Promise<string | null> =>
  (await effects.find(seenLife))?.detail ?? null

/**
 * Takes the queue as one that holds the jobs of the log up to `queued`.
 * @param fill queues before that what it lacks
 */
export const takeQueue = async (
  {
    effects,
    jobs,
  }: { readonly effects: Pick<EffectLedger, 'replace'> } & {
    readonly jobs: Pick<JobQueue, 'begin'>
  },
  queued: Position | null,
  fill: () => Promise<void> = async () => undefined,
): Promise<void> => {
  // First: what the queue loses meanwhile takes this word away, and is seen.
  const life = await jobs.begin(queued)
  await fill()
  // Last: whoever is stopped before begins again, and the same jobs change nothing.
  await effects.replace(seenLife, 'done', life)
}
