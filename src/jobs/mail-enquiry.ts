import type { Application } from '#application/app.ts'
import { giveUpMailing, mailEnquiry, type MailSettings } from '#application/messages/mail-enquiry.ts'
import type { JobHandler } from '#application/ports/job-queue.ts'
import { spread } from '#jobs/backoff.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Tries for a day (decisions 73). */
const waits = [
  ...[5, 15, 30, 60].map((seconds) => seconds * second),
  ...[5, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 4, 8, 8].map((hours) => hours * hour),
]

/** Mails an enquiry to the owner; the last failure is told on the message's row. */
export const mailEnquiryJob = (
  app: Application,
  settings: MailSettings | null,
): JobHandler<'mail-enquiry'> => ({
  backoff: spread(waits),
  run: async ({ messageId, correlationId = messageId }, job) => {
    try {
      await mailEnquiry(app, settings, messageId, correlationId)
    } catch (error) {
      if (job.attempt > waits.length) {
        await giveUpMailing(app, messageId, 'The mail server could not be reached for a day', correlationId)
      }
      throw error
    }
  },
})
