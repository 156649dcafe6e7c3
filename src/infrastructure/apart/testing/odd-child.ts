/** A process of a job that does what its job's hash says, for tests. */
import { type EffectLedger, Unrecoverable } from '#application/kernel/ports/job-queue.ts'
import { type EventStore, RevisionConflict } from '#application/kernel/ports/event-store.ts'
import type { ApartTask, FromChild, ToChild } from '../protocol.ts'
import { remotePorts } from '../remote-ports.ts'
import { toSent } from '../sent-errors.ts'

const send = (message: FromChild, sent: () => void = () => undefined): void => {
  process.send?.(message, undefined, undefined, sent)
}
const remote = remotePorts(send)
const progress = (done: number): void => send({ type: 'progress', done, total: 2 })
const stopped = Promise.withResolvers<never>()
stopped.promise.catch(() => undefined)

const event = {
  id: crypto.randomUUID(),
  type: 'ImageDiscarded',
  schemaVersion: 1,
  occurredAt: new Date().toISOString(),
  meta: { correlationId: 'c', causationId: 'c', commandId: 'c', actor: { kind: 'visitor' } },
  data: {},
} as const

const deeds: Readonly<Record<string, () => Promise<void>>> = {
  files: async () => {
    progress(1)
    const original = await remote.files.open('originals/h1')
    const bytes = Buffer.concat((await original?.stream.toArray()) ?? [])
    const lease = await remote.leases.acquire('picture-files', AbortSignal.timeout(60_000))
    await remote.files.replace('images/h1/first.jpg', bytes)
    const effects = remote.port<EffectLedger>('effects')
    await effects.replace('odd', 'done', lease.lost.aborted ? 'lease lost' : 'lease held')
    await lease.release()
    progress(2)
  },
  events: async () => {
    const log = remote.port<EventStore>('eventStore')
    await log.append('image-h1', 'no-stream', [event])
    const [read] = await log.readStream('image-h1', 0)
    throw new Error(`read ${read?.type} at ${read?.revision} by ${read?.meta.actor.kind}`)
  },
  conflict: async () => {
    try {
      await remote.port<EventStore>('eventStore').append('image-h1', 3, [event])
    } catch (error) {
      if (error instanceof RevisionConflict)
        throw new Error(`a ${error.name} at ${error.actual}`, { cause: error })
      throw error
    }
  },
  environment: async () => {
    throw new Error(Object.keys(process.env).join(' '))
  },
  hopeless: async () => {
    throw new Unrecoverable('no hope')
  },
  accounts: async () => {
    await remote.port<{ readonly all: () => Promise<unknown> }>('accounts').all()
  },
  dies: async () => {
    await remote.leases.acquire('picture-files', AbortSignal.timeout(60_000))
    process.kill(process.pid, 'SIGKILL')
  },
  exits: async () => process.exit(7),
  listens: async () => {
    progress(1)
    await stopped.promise
  },
  deaf: async () => {
    progress(1)
    await new Promise(() => undefined)
  },
}

const begin = async ({ data }: ApartTask): Promise<void> => {
  const hash = 'hash' in data ? data.hash : ''
  try {
    await deeds[hash]?.()
    send({ type: 'done' }, () => process.disconnect())
  } catch (error) {
    send({ type: 'failed', error: toSent(error) }, () => process.disconnect())
  }
}

process.on('message', (message: ToChild) => {
  if (message.type === 'begin') void begin(message.task)
  else if (message.type === 'stop') stopped.reject(new Error('stopping'))
  else remote.hear(message)
})
process.on('disconnect', () => process.exit(0))
