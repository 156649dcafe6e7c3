import type { Logger } from '#application/kernel/ports/logger.ts'
import { pause } from '#application/kernel/retry.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'

/** Longer than a call or a heartbeat waits, in ms. */
const answersWithinMs = 7_000
const retryEveryMs = 1_000

/** What is needed of the driver's client. */
export interface Revivable {
  readonly connect: () => Promise<unknown>
  readonly close: () => Promise<void>
}

/**
 * Brings a client back that does not come back by itself. The driver's own watch on a server can hang for ever
 * (seen with 7.8.0: a heartbeat written in the moment between a socket's end and its `close` waits for a `drain`
 * that never comes, and no timeout is set on a socket that has ended); all else it does waits for that watch.
 * After failing without a break for `timeoutMs` the client is closed and connected anew; where the server is
 * truly away that changes nothing.
 * @returns what runs a call and sees how it ends, and what ends the watching
 */
export const reviving = (
  client: Revivable,
  log: Pick<Logger, 'warn'>,
  timeoutMs = answersWithinMs,
  retryMs = retryEveryMs,
): {
  readonly watched: <Result>(call: () => Promise<Result>) => Promise<Result>
  readonly stop: () => void
} => {
  const stopping = new AbortController()
  const { signal } = stopping
  let failingSince: number | null = null
  let isReviving = false

  const revive = async (): Promise<void> => {
    log.warn({}, 'MongoDB has not answered for long; connecting anew')
    await client
      .close()
      .catch((error: unknown) => log.warn({ err: error }, 'The former client did not close'))
    while (!signal.aborted) {
      try {
        await client.connect()
        // closed meanwhile: what was connected anew would keep the process alive
        if (signal.aborted) await client.close()
        return
      } catch {
        // The calls meanwhile say why.
        await pause(retryMs, signal, { ref: false })
      }
    }
  }

  const failed = (): void => {
    const now = performance.now()
    failingSince ??= now
    if (isReviving || signal.aborted || now - failingSince < timeoutMs) return
    isReviving = true
    void revive().finally(() => {
      isReviving = false
      failingSince = null
    })
  }

  return {
    watched: async (call) => {
      try {
        const result = await call()
        failingSince = null
        return result
      } catch (error) {
        if (error instanceof EngineAway) failed()
        else failingSince = null
        throw error
      }
    },
    stop: () => stopping.abort(),
  }
}
