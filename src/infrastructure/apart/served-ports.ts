import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { EventStore, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { FileStore } from '#application/kernel/ports/files.ts'
import type { Lease, Leases } from '#application/kernel/ports/leases.ts'
import { leasesUntil } from '#application/kernel/turns.ts'
import type { PortCall, ToChild } from './protocol.ts'
import { toSent } from './sent-errors.ts'

/** Ports that a child may use: their methods answer what can be copied. Accounts and sessions are not among them. */
export interface ServedPorts {
  readonly eventStore: Pick<EventStore, 'append' | 'head' | 'readStream'>
  readonly keyVault: object
  readonly lookups: object
  readonly readModels: object
  readonly effects: object
  readonly files: FileStore
  readonly leases: Leases
}

type Method = (...args: readonly unknown[]) => Promise<unknown>

/** Events are copied field by field: an engine may make each of them only when it is asked for. */
const servedLog = ({ append, head, readStream }: ServedPorts['eventStore'], signal: AbortSignal): object => ({
  append: async (...asked: Parameters<EventStore['append']>) => {
    signal.throwIfAborted()
    return append(...asked)
  },
  head,
  readStream: async (...asked: Parameters<EventStore['readStream']>) =>
    (await readStream(...asked)).map(
      ({ id, stream, revision, position, type, schemaVersion, occurredAt, meta, data }): RecordedEvent => ({
        id,
        stream,
        revision,
        position,
        type,
        schemaVersion,
        occurredAt,
        meta,
        data,
      }),
    ),
})

/** A file is handed over as a copy in the child's own folder. */
const servedFiles = (files: FileStore, scratch: string): object => ({
  ...files,
  open: async (...asked: Parameters<FileStore['open']>) => {
    const found = await files.open(...asked)
    if (found === null) return null
    const path = join(scratch, `handed-${randomUUID()}`)
    await pipeline(found.stream, createWriteStream(path, { mode: 0o600 }))
    return { size: found.size, path }
  },
})

/** Leases by numbers, which the child names when it lets one go. */
const servedLeases = (leases: Leases, send: (message: ToChild) => void, signal: AbortSignal) => {
  const held = new Map<number, Lease>()
  let last = 0
  return {
    port: {
      acquire: async (name: string, timeoutMs: number) => {
        const late = AbortSignal.timeout(timeoutMs)
        const lease = await leasesUntil(leases, late).acquire(name, AbortSignal.any([signal, late]))
        last += 1
        const number = last
        held.set(number, lease)
        lease.lost.addEventListener('abort', () => send({ type: 'lost', lease: number }))
        if (signal.aborted) await release(held, number)
        return number
      },
      release: (number: number) => release(held, number),
    },
    releaseAll: async (): Promise<void> => {
      for (const number of held.keys()) await release(held, number)
    },
  }
}

const release = async (held: Map<number, Lease>, number: number): Promise<void> => {
  const lease = held.get(number)
  held.delete(number)
  await lease?.release()
}

/**
 * Answers what a child process asks of the ports that stand here.
 * @param scratch the child's folder
 * @param send to the child
 * @param signal aborted when the job is over here: nothing is written to the log then, for another process may carry it on
 */
export const servePorts = (
  ports: ServedPorts,
  scratch: string,
  send: (message: ToChild) => void,
  signal: AbortSignal,
): { readonly answer: (asked: PortCall) => Promise<void>; readonly close: () => Promise<void> } => {
  const over = new AbortController()
  const leases = servedLeases(ports.leases, send, over.signal)
  // Named one by one: what is given may hold more than a job's process is to reach.
  const { eventStore, keyVault, lookups, readModels, effects } = ports
  const served: Readonly<Record<string, object>> = {
    eventStore: servedLog(eventStore, signal),
    keyVault,
    lookups,
    readModels,
    effects,
    files: servedFiles(ports.files, scratch),
    leases: leases.port,
  }
  return {
    answer: async ({ id, port, method, args }) => {
      try {
        const target = served[port]
        const called: unknown = target === undefined ? undefined : Reflect.get(target, method)
        if (typeof called !== 'function') throw new TypeError(`A job's process may not ask ${port}.${method}`)
        // Methods of ports take no `this`, and are called by our own program with what their types say.
        send({ type: 'answer', id, value: await (called as Method)(...args) })
      } catch (error) {
        send({ type: 'thrown', id, error: toSent(error) })
      }
    },
    close: async () => {
      over.abort(new Error('The process that asked is gone'))
      await leases.releaseAll()
    },
  }
}
