import type { EventStore, Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { JobName } from '#application/job-data.ts'
import type { EffectLedger, JobQueue, NewJob } from '#application/kernel/ports/job-queue.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { notePassedOver } from './passed-over.ts'
import { jobsOf, type Reactions } from './reaction.ts'

/** So many open jobs of a kind and none of its events makes another: a queue that lives in memory is small. */
const mostOpen = 5_000
/** Read from the log, or queued, at once. */
export const pageOf = 500
/** One writer each, so that neither can undo what the other noted: the reactor, and who takes up what it left. */
const [leftKey, takenUpKey] = ['jobs-left', 'jobs-taken-up'] as const

/** What the log has and the queue had no room for: jobs of these kinds, of the events behind `from` up to `to`. */
interface LeftWork {
  readonly from: Position | null
  readonly to: Position
  readonly kinds: readonly JobName[]
}

interface LeftPorts {
  readonly effects: Pick<EffectLedger, 'find' | 'replace'>
  readonly jobs: Pick<JobQueue, 'enqueue' | 'open'>
  /** how many open jobs of a kind are enough; 5,000 unless told */
  readonly mostOpen?: number
}

/** How many more jobs of a kind there is room for: half of all room, the other half is for what happens now. */
export const roomIn = async ({
  jobs,
  mostOpen: most = mostOpen,
}: Pick<LeftPorts, 'jobs' | 'mostOpen'>): Promise<(kind: JobName) => number> => {
  const open = await jobs.open()
  return (kind) => Math.ceil(most / 2) - (open[kind] ?? 0)
}

/** What was left and not yet taken up; null when nothing is. */
export const leftWork = async (effects: Pick<EffectLedger, 'find'>): Promise<LeftWork | null> => {
  const [left, takenUp] = await Promise.all([effects.find(leftKey), effects.find(takenUpKey)])
  if (left === null) return null
  const { from, to, kinds } = JSON.parse(left.detail) as LeftWork // as `whatFits` wrote it
  const until = (takenUp?.detail ?? '') as Position // as `takeUpLeft` wrote it
  if (until >= to) return null
  return { from: until > (from ?? '') ? until : from, to, kinds }
}

/**
 * Which of the jobs that follow from the events behind `from` up to `to` there is room for. That others were left is
 * noted when this resolves: the log has them, and they are taken up when there is room.
 */
export const whatFits = async (
  { effects, jobs, mostOpen: most = mostOpen }: LeftPorts,
  wanted: readonly NewJob[],
  { from, to }: Pick<LeftWork, 'from' | 'to'>,
): Promise<readonly NewJob[]> => {
  const open = await jobs.open()
  const full = new Set(wanted.map(({ name }) => name).filter((name) => (open[name] ?? 0) >= most))
  if (full.size === 0) return wanted
  const before = await leftWork(effects)
  const left: LeftWork = {
    from: before === null ? from : before.from,
    to,
    kinds: [...full.union(new Set(before?.kinds))],
  }
  await effects.replace(leftKey, 'done', JSON.stringify(left))
  return wanted.filter(({ name }) => !full.has(name))
}

/** Forgets what was left: of a log that stands no longer there. */
export const forgetLeft = async (effects: Pick<EffectLedger, 'replace'>): Promise<void> => {
  await effects.replace(leftKey, 'done', JSON.stringify({ from: null, to: '', kinds: [] }))
  // In a shorter log its place would stand behind what is left there.
  await effects.replace(takenUpKey, 'done', '')
}

/** Queues what was left, as far as there is room. */
export const takeUpLeft = async (
  ports: LeftPorts & {
    readonly eventStore: Pick<EventStore, 'readAll'>
    readonly reactions: Reactions
    readonly log: Pick<Logger, 'warn'>
  },
  signal: AbortSignal,
): Promise<void> => {
  const left = await leftWork(ports.effects)
  if (left === null) return
  let position = left.from
  while (position === null || position < left.to) {
    signal.throwIfAborted()
    const events = await ports.eventStore.readAll(position, pageOf)
    const due = events
      .filter((event) => event.position <= left.to)
      .flatMap((event) => jobsOrWarning(event, ports))
      .filter(({ name }) => left.kinds.includes(name))
    if (due.length > 0) {
      const roomFor = await roomIn(ports)
      if (due.some(({ name }) => roomFor(name) <= 0)) return
      await ports.jobs.enqueue(due)
    }
    await notePassedOver(ports, position ?? '', events)
    const last = events.at(-1)?.position ?? left.to
    // What stands behind may be left meanwhile, and is not taken up here.
    position = last < left.to ? last : left.to
    await ports.effects.replace(takenUpKey, 'done', position)
  }
}

/** The jobs that follow from an event in the log; of one that cannot be read the log of the process tells. */
export const jobsOrWarning = (
  recorded: RecordedEvent,
  { reactions, log }: { readonly reactions: Reactions; readonly log: Pick<Logger, 'warn'> },
): readonly NewJob[] =>
  jobsOf(recorded, reactions, (err) =>
    log.warn({ err, eventId: recorded.id, type: recorded.type }, 'no reaction to an unreadable event'),
  )
