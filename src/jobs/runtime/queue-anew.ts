import { randomUUID } from 'node:crypto'
import type { EventStore, Position } from '#application/kernel/ports/event-store.ts'
import type { JobName } from '#application/job-data.ts'
import type { EffectLedger, JobQueue, NewJob } from '#application/kernel/ports/job-queue.ts'
import { pageOf, roomIn } from './left-work.ts'
import { type Form, forgetKnown, nameOf, notePassedOver, passedOverFrom, type Place } from './passed-over.ts'
import type { Reactions } from './reaction.ts'
import { type Begun, unfinishedWork } from './unfinished.ts'

/** One kind of writer each, so that neither undoes what the other noted: who asks for it, and who queues it. */
const [askedKey, queuedKey] = ['jobs-anew', 'jobs-anew-queued'] as const

/**
 * What the log shows begun up to a place and not ended is to be queued. `left-work.ts` notes events instead, whatever came of
 * them: the reactor meets each for the first time, and knows no end of it.
 */
interface Asked {
  readonly id: string
  readonly to: Place
}

/** Of the kinds that there was no room for: up to where they are queued. The others are through. */
type Waiting = ReadonlyMap<JobName, Place>

interface LogPorts {
  readonly eventStore: Pick<EventStore, 'readAll'>
  readonly reactions: Reactions
}

interface AnewPorts extends LogPorts {
  readonly effects: Pick<EffectLedger, 'find' | 'replace'>
  readonly jobs: Pick<JobQueue, 'enqueue' | 'open'>
  /** how many open jobs of a kind are enough; see `left-work.ts` */
  readonly mostOpen?: number
}

/** What the log shows begun behind a place and not ended, in its order, and the forms of events that are not known here. */
export const readBegun = async (
  { eventStore, reactions }: LogPorts,
  signal: AbortSignal,
  from: Place = '',
): Promise<{
  readonly begun: readonly Begun[]
  readonly unknown: readonly Form[]
  readonly readUpTo: Place
}> => {
  const work = unfinishedWork(reactions)
  const unknown = new Map<string, Form>()
  for (let place = from; ; ) {
    signal.throwIfAborted()
    const events = await eventStore.readAll(place === '' ? null : place, pageOf)
    for (const event of events) {
      work.see(event)
      if (!reactions.knows(event)) unknown.set(nameOf(event), event)
      place = event.position
    }
    if (events.length === 0) return { begun: work.begun(), unknown: [...unknown.values()], readUpTo: place }
  }
}

/** What was asked for and is not all queued; `waiting` is null where that was not begun. */
const openAsk = async (
  effects: Pick<EffectLedger, 'find'>,
): Promise<(Asked & { readonly waiting: Waiting | null }) | null> => {
  const [asked, queued] = await Promise.all([effects.find(askedKey), effects.find(queuedKey)])
  if (asked === null) return null
  // As it is written below.
  const { id, to } = JSON.parse(asked.detail) as Asked
  // As it is written below; nothing where it never was.
  const noted = JSON.parse(queued?.detail ?? '{}') as { id?: string; waiting?: readonly [JobName, Place][] }
  if (noted.id !== id) return to === '' ? null : { id, to, waiting: null }
  const waiting = new Map(noted.waiting)
  return waiting.size === 0 ? null : { id, to, waiting }
}

const lowest = (places: readonly Place[]): Place =>
  places.reduce((low, place) => (place < low ? place : low), places[0] ?? '')

/** Up to where all is queued that was asked for; null where nothing waits for room. */
export const anewUpTo = async (effects: Pick<EffectLedger, 'find'>): Promise<Place | null> => {
  const ask = await openAsk(effects)
  return ask === null ? null : lowest([...(ask.waiting?.values() ?? [])])
}

const enqueueAll = async ({ jobs }: Pick<AnewPorts, 'jobs'>, all: readonly NewJob[]): Promise<void> => {
  for (let n = 0; n < all.length; n += pageOf) await jobs.enqueue(all.slice(n, n + pageOf))
}

/** Queues of the work what there is room for, and notes of the other kinds up to where there was. */
const queueWhatFits = async (
  ports: AnewPorts,
  { id, to, waiting }: Asked & { readonly waiting: Waiting | null },
  begun: readonly Begun[],
): Promise<number> => {
  const roomFor = await roomIn(ports)
  const fitting = new Map<JobName, NewJob[]>()
  const left = new Map<JobName, Place>()
  let before: Place = ''
  for (const { position, jobs } of begun) {
    if (position > to) break
    for (const job of jobs) {
      const { name } = job
      const queuedUpTo = waiting === null ? '' : waiting.get(name)
      if (queuedUpTo === undefined || position <= queuedUpTo || left.has(name)) continue
      const ofKind = fitting.get(name) ?? []
      fitting.set(name, ofKind)
      if (ofKind.length < roomFor(name)) ofKind.push(job)
      else left.set(name, before > queuedUpTo ? before : queuedUpTo)
    }
    before = position
  }
  const all = [...fitting.values()].flat()
  await enqueueAll(ports, all)
  await ports.effects.replace(queuedKey, 'done', JSON.stringify({ id, waiting: [...left] }))
  return all.length
}

/**
 * Queues all work that the log shows begun and not ended: at once what there is room for, the rest by
 * {@link goOnQueueing}. Ids made from events keep what the queue has already from being queued twice.
 * @returns how many jobs there are, how many of them were queued, and up to where the log was read
 */
export const queueAnew = async (
  ports: AnewPorts,
  signal: AbortSignal,
): Promise<{ readonly jobs: number; readonly queued: number; readonly readUpTo: Position | null }> => {
  const { begun, unknown, readUpTo } = await readBegun(ports, signal)
  await notePassedOver(ports, '', unknown)
  const asked: Asked = { id: randomUUID(), to: readUpTo }
  await ports.effects.replace(askedKey, 'done', JSON.stringify(asked))
  const queued = await queueWhatFits(ports, { ...asked, waiting: null }, begun)
  const jobs = begun.reduce((sum, each) => sum + each.jobs.length, 0)
  return { jobs, queued, readUpTo: readUpTo === '' ? null : readUpTo }
}

/** Queues more of what was asked for, when there is room. */
export const goOnQueueing = async (ports: AnewPorts, signal: AbortSignal): Promise<void> => {
  const ask = await openAsk(ports.effects)
  if (ask === null) return
  const roomFor = await roomIn(ports)
  const kinds = [...(ask.waiting?.keys() ?? [])]
  if (kinds.length > 0 && kinds.every((kind) => roomFor(kind) <= 0)) return
  const from = lowest([...(ask.waiting?.values() ?? [])])
  const { begun, unknown } = await readBegun(ports, signal, from)
  await notePassedOver(ports, from, unknown)
  await queueWhatFits(ports, ask, begun)
}

/** Queues the work that was begun since an older version has passed over events that are known here, and is not ended. */
export const queuePassedOver = async (ports: AnewPorts, signal: AbortSignal): Promise<void> => {
  const from = await passedOverFrom(ports)
  if (from === null) return
  const jobs = (await readBegun(ports, signal, from)).begun.flatMap((each) => each.jobs)
  const roomFor = await roomIn(ports)
  const fits = [...Map.groupBy(jobs, ({ name }) => name)].every(([kind, of]) => of.length <= roomFor(kind))
  if (fits) await enqueueAll(ports, jobs)
  else await queueAnew(ports, signal)
  // Last: whoever is stopped before begins again, and the same jobs change nothing.
  await forgetKnown(ports)
}

/** Forgets what was asked for: of a log that stands no longer there. */
export const forgetAnew = (effects: Pick<EffectLedger, 'replace'>): Promise<void> =>
  effects.replace(askedKey, 'done', JSON.stringify({ id: '', to: '' } satisfies Asked))
