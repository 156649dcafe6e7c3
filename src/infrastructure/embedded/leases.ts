import type { Lease, WatchedLeases } from '#application/kernel/ports/leases.ts'

/**
 * Turns within the one process that holds the data folder: nobody else can be at work, so a lease is never
 * lost, but two who ask for the same name still take turns, in the order they asked.
 */
export const openLeases = (): WatchedLeases => {
  /** name → those who wait; a name that is held has an entry, also with nobody waiting */
  const held = new Map<string, (() => void)[]>()
  const holders = new Map<string, string>()

  const grant = (name: string): Lease => {
    let over = false
    return {
      lost: new AbortController().signal,
      check: () => undefined,
      release: async () => {
        if (over) return
        over = true
        holders.delete(name)
        const next = held.get(name)?.shift()
        if (next) next()
        else held.delete(name)
      },
    }
  }

  const take = (name: string): Lease | null => {
    if (held.has(name)) return null
    held.set(name, [])
    return grant(name)
  }

  return {
    tryAcquire: async (name, holder = '') => {
      const lease = take(name)
      if (lease !== null) holders.set(name, holder)
      return lease
    },
    holders: async (names) =>
      new Map(
        names.flatMap((name) =>
          held.has(name) ? [[name, { holder: holders.get(name) ?? '', turn: '', sign: '' }] as const] : [],
        ),
      ),
    acquire: (name, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const free = take(name)
        if (free) {
          resolve(free)
          return
        }
        const waiting = held.get(name) ?? []
        const turn = (): void => {
          signal.removeEventListener('abort', leave)
          resolve(grant(name))
        }
        const leave = (): void => {
          waiting.splice(waiting.indexOf(turn), 1)
          reject(signal.reason as Error) // the reason an AbortController was given, by custom an Error
        }
        waiting.push(turn)
        signal.addEventListener('abort', leave, { once: true })
      }),
  }
}
