import type { Application } from '#application/application.ts'
import type { MailSettings } from '#application/messages/mail-message.ts'
import type { BlogFeed } from '#application/ports/blog-feed.ts'
import type { EffectLedger, JobHandlers } from '#application/kernel/ports/job-queue.ts'
import { copyArtworkImage, copyJournalImages } from '#jobs/copy-images.ts'
import { mailMessageJob } from '#jobs/mail-message.ts'
import { processImage } from '#jobs/process-image.ts'
import { syncBlog } from '#jobs/sync-blog.ts'

/** What jobs of all kinds work with. */
interface JobPorts {
  readonly app: Application
  readonly effects: EffectLedger
  /** null: enquiries are not mailed */
  readonly mail: MailSettings | null
  readonly blogFeed: BlogFeed
  /** the messages whose mail waits, so far as is known; none where they are not to be gathered */
  readonly messages: () => Promise<readonly string[]>
}

/** Every kind of job on these ports, in whichever process they are run. */
export const jobHandlers = ({ app, effects, mail, blogFeed, messages }: JobPorts): JobHandlers => ({
  'process-image': processImage(app),
  'process-journal-image': processImage(app),
  'copy-artwork-picture': copyArtworkImage(app),
  'copy-journal-pictures': copyJournalImages(app),
  'mail-enquiry': mailMessageJob({ app, effects }, mail, messages),
  'sync-blog': syncBlog({ app, blogFeed, effects }),
})
