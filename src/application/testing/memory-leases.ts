import { once } from 'node:events'
import type { Lease, WatchedLeases } from '../kernel/ports/leases.ts'

/** Leases within this process, which nobody loses. */
export const memoryLeases = (): WatchedLeases => {
  const held = new Map<string, { readonly holder: string; readonly over: Promise<void> }>()
  const grant = (name: string, holder: string): Lease => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const mine = { holder, over }
    held.set(name, mine)
    return {
      lost: new AbortController().signal,
      check: () => undefined,
      release: async () => {
        if (held.get(name) === mine) held.delete(name)
        resolve()
      },
    }
  }
  return {
    acquire: async (name, signal) => {
      signal.throwIfAborted()
      for (let now = held.get(name); now !== undefined; now = held.get(name)) {
        await Promise.race([now.over, once(signal, 'abort')])
        signal.throwIfAborted()
      }
      return grant(name, '')
    },
    tryAcquire: async (name, holder = '') => (held.has(name) ? null : grant(name, holder)),
    holders: async (names) =>
      new Map(
        names.flatMap((name) => {
          const found = held.get(name)
          return found === undefined ? [] : [[name, { holder: found.holder, turn: '', sign: '' }] as const]
        }),
      ),
  }
}
