import { createReadStream } from 'node:fs'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { FileStore } from '#application/kernel/ports/files.ts'
import type { Lease, Leases } from '#application/kernel/ports/leases.ts'
import type { FromChild, ToChild } from './protocol.ts'
import { fromSent } from './sent-errors.ts'

/** How long the other process waits for a lease at most, in ms: nobody here waits longer. */
const leaseTimeoutMs = 60_000

/** Ports that stand in the process which started this one. */
export interface RemotePorts {
  /** A port whose methods take and answer what can be copied. */
  readonly port: <Port extends object>(name: string) => Port
  readonly files: FileStore
  readonly leases: Leases
  /** Takes what came from the other process; false when it is about something else. */
  readonly hear: (message: ToChild) => boolean
}

/** @param send to the other process */
export const remotePorts = (send: (message: FromChild) => void): RemotePorts => {
  const asked = new Map<number, PromiseWithResolvers<unknown>>()
  const losses = new Map<number, AbortController>()
  let last = 0

  const ask = <Answer>(port: string, method: string, args: readonly unknown[]): Promise<Answer> => {
    last += 1
    const waiting = Promise.withResolvers<unknown>()
    asked.set(last, waiting)
    send({ type: 'ask', id: last, port, method, args })
    // What the port's own type says of that method.
    return waiting.promise as Promise<Answer>
  }

  /** @param here methods that do not ask the port itself */
  const port = <Port extends object>(name: string, here: Partial<Port> = {}): Port =>
    new Proxy(here, {
      get: (own, method) =>
        Reflect.get(own, method) ?? ((...args: readonly unknown[]) => ask(name, String(method), args)),
    }) as Port // every other method that is asked for is there, and asks the port itself

  const leases: Leases = {
    acquire: async (name, signal) => {
      const lost = new AbortController()
      const number = await ask<number>('leases', 'acquire', [name, leaseTimeoutMs])
      losses.set(number, lost)
      const lease: Lease = {
        lost: lost.signal,
        check: () => lost.signal.throwIfAborted(),
        release: async () => {
          losses.delete(number)
          await ask('leases', 'release', [number])
        },
      }
      if (signal.aborted) {
        await lease.release()
        throw signal.reason
      }
      return lease
    },
    tryAcquire: async () => {
      throw new Error('A job waits for its lease')
    },
  }

  return {
    port,
    files: port<FileStore>('files', {
      open: async (...args) => {
        const copy = await ask<{ readonly size: number; readonly path: string } | null>('files', 'open', args)
        return copy === null ? null : { size: copy.size, stream: createReadStream(copy.path) }
      },
    }),
    leases,
    hear: (message) => {
      switch (message.type) {
        case 'answer':
          asked.get(message.id)?.resolve(message.value)
          return asked.delete(message.id)
        case 'thrown':
          asked.get(message.id)?.reject(fromSent(message.error))
          return asked.delete(message.id)
        case 'lost':
          losses.get(message.lease)?.abort(new EngineAway('leases', 'Another process has taken over'))
          return true
        default:
          return false
      }
    },
  }
}
