import type { Logger } from '#application/kernel/ports/logger.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'

/** The moment of the last one stands here, so that `doctor`, a process of its own, knows of it. */
const ledgerKey = 'unread-forwarding'
const noteEveryMs = 24 * 60 * 60_000

interface Ports {
  readonly effects: Pick<EffectLedger, 'replace'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Makes what hears of requests that carry `X-Forwarded-For` although no proxy is trusted. Behind a proxy all visitors
 * then share its address, and its limits. Warned of once by each process, and noted at most once a day: a stranger can
 * send that header too.
 * @returns to be called with every such request; it never throws and nobody waits for it
 */
export const noteUnreadForwarding = ({ effects, clock, log }: Ports): (() => void) => {
  let noted = Number.NEGATIVE_INFINITY
  let warned = false
  return () => {
    const now = clock.now()
    if (now.getTime() - noted < noteEveryMs) return
    noted = now.getTime()
    if (!warned)
      log.warn(
        {},
        'Requests carry X-Forwarded-For, and TRUST_PROXY is 0: where a proxy stands in front, set TRUST_PROXY=1',
      )
    warned = true
    effects.replace(ledgerKey, 'done', now.toISOString()).catch((error: unknown) => {
      log.warn({ err: error }, 'it could not be noted for doctor that requests carry X-Forwarded-For')
    })
  }
}

/** @returns when such a request came last, to the day; null when none did */
export const lastUnreadForwarding = async (effects: Pick<EffectLedger, 'find'>): Promise<Date | null> => {
  const found = await effects.find(ledgerKey)
  return found === null ? null : new Date(found.detail)
}
