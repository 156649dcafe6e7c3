import { pause } from '#application/kernel/retry.ts'
import {
  awaitsMail,
  giveUpMailing,
  mailMessages,
  type MailPorts,
  type MailSettings,
} from '#application/messages/mail-message.ts'
import { afterInterruption, type JobHandler } from '#application/kernel/ports/job-queue.ts'
import { spread } from './runtime/handlers.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Tries for a day. */
const waits = [
  ...[5, 15, 30, 60].map((seconds) => seconds * second),
  ...[5, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 4, 8, 8].map((hours) => hours * hour),
]

const day = 24 * hour

/** The wait after the n-th interruption; null once those waits have filled a day. */
const forADay = (times: number): number | null => {
  const waited = Array.from({ length: times - 1 }, (_, n) => afterInterruption(n + 1))
  return waited.reduce((sum, wait) => sum + wait, 0) >= day ? null : afterInterruption(times)
}

/** How fast mails may follow one another: so many within so long, in ms; then messages wait and are mailed together. */
export interface MailPace {
  readonly mails: number
  readonly windowMs: number
}
const usualPace: MailPace = { mails: 5, windowMs: 10 * minute }
/** Messages in one mail: of five thousand characters each, it is still one that every server takes. */
const mostTogether = 100

/**
 * Mails a message to the owner; that it was given up is told on the message's row. In a burst the next mail waits its time
 * and then brings along all that wait for theirs. Meant to run one at a time, in whatever processes.
 * @param waiting the messages whose mail waits, so far as the queue knows
 */
export const mailMessageJob = (
  ports: MailPorts,
  settings: MailSettings | null,
  waiting: () => Promise<readonly string[]>,
  pace = usualPace,
): JobHandler<'mail-enquiry'> => {
  const { app } = ports
  /** when the last mails were sent */
  let sent: readonly number[] = []

  /** until the next mail may go, in ms */
  const left = (): number => {
    const first = sent.length < pace.mails ? undefined : sent.at(-pace.mails)
    return first === undefined ? 0 : Math.max(0, first + pace.windowMs - performance.now())
  }

  const waitForTurn = async (signal: AbortSignal): Promise<boolean> => {
    const waits = left()
    if (waits === 0) return false
    await pause(waits, signal)
    signal.throwIfAborted()
    return true
  }

  /** Counts each mail that was taken: several messages may go in as many. */
  const paced: MailSettings | null = settings && {
    ...settings,
    mailer: {
      ...settings.mailer,
      send: async (mail) => {
        await settings.mailer.send(mail)
        sent = [...sent, performance.now()].slice(-pace.mails)
      },
    },
  }

  return {
    backoff: spread(waits),
    afterInterruption: forADay,
    run: async ({ messageId, correlationId = messageId }, job) => {
      const gathered =
        settings !== null && (await awaitsMail(app, messageId)) && (await waitForTurn(job.signal))
      const others = gathered ? (await waiting()).filter((id) => id !== messageId) : []
      const ids = [messageId, ...others.slice(0, mostTogether - 1)]
      const { signal } = job
      await mailMessages(ports, paced, ids, { correlationId, mayGoOn: () => left() === 0, signal })
    },
    parked: ({ messageId, correlationId = messageId }) =>
      giveUpMailing(app, messageId, 'The mail could not be sent for a day', correlationId),
  }
}
