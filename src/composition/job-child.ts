/**
 * The process of one job that is not to end the site's: it was interrupted before, or reads what others have written. It does its
 * work here, on the ports of the process that started it.
 */
import { join } from 'node:path'
import { createExecutor } from '#application/kernel/execute.ts'
import type { Application } from '#application/application.ts'
import type { EventStore } from '#application/kernel/ports/event-store.ts'
import type { JobName } from '#application/job-data.ts'
import type { EffectLedger, JobHandler } from '#application/kernel/ports/job-queue.ts'
import type { MailSettings } from '#application/messages/mail-message.ts'
import type { ApartSettings, ApartTask, FromChild, ToChild } from '#infrastructure/apart/protocol.ts'
import { type RemotePorts, remotePorts } from '#infrastructure/apart/remote-ports.ts'
import { toSent } from '#infrastructure/apart/sent-errors.ts'
import { openBlogFeed } from '#infrastructure/blog-feed/blog-feed.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { beEndedFirst } from '#infrastructure/ended-first.ts'
import { createHtmlSanitiser } from '#infrastructure/html/sanitiser.ts'
import { openMailer } from '#infrastructure/mail/smtp.ts'
import { openImages } from '#infrastructure/images/images.ts'
import { openSafeFetch } from '#infrastructure/safe-fetch/safe-fetch.ts'
import { openScratch } from '#infrastructure/scratch/scratch.ts'
import { jobHandlers } from './job-handlers.ts'

const send = (message: FromChild, sent: () => void = () => undefined): void => {
  // Without a channel the asker is gone, and 'disconnect' ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, sent)
}

const applicationOn = async (
  { port, files, leases }: RemotePorts,
  { settings, scratch }: ApartTask,
): Promise<Application> => {
  const eventStore = port<EventStore>('eventStore')
  return {
    eventStore,
    executor: createExecutor(eventStore),
    readModels: port('readModels'),
    lookups: port('lookups'),
    clock: systemClock,
    files,
    images: openImages(),
    safeFetch: openSafeFetch({ allowPrivate: settings.fetchAllowPrivate }),
    html: createHtmlSanitiser(),
    keyVault: port('keyVault'),
    accounts: port('accounts'),
    sessions: port('sessions'),
    leases,
    // The site holds the reserve: it refuses the files that such a job would keep where there is no room.
    scratch: await openScratch(join(scratch, 'files'), () => false),
  }
}

const mailOf = ({ mail }: ApartSettings): MailSettings | null =>
  mail === null ? null : { ...mail, mailer: openMailer(mail.smtpUrl, mail.mailFrom) }

const carryOut = async (remote: RemotePorts, task: ApartTask, signal: AbortSignal): Promise<void> => {
  const app = await applicationOn(remote, task)
  const handlers = jobHandlers({
    app,
    effects: remote.port<EffectLedger>('effects'),
    mail: mailOf(task.settings),
    blogFeed: openBlogFeed(app.safeFetch, {
      onGivenUp: (post, error) => send({ type: 'given-up', post, error: toSent(error) }),
    }),
    messages: async () => [],
  })
  // The handler and the data are of one kind, which the compiler cannot follow through the message.
  const handler = handlers[task.name] as unknown as JobHandler<JobName>
  const progress = (done: number, total: number): void => send({ type: 'progress', done, total })
  const { id, attempt, again } = task
  try {
    await handler.run(task.data, { id, attempt, again, apart: true, signal, progress })
  } finally {
    await app.images.close()
    await app.safeFetch.close()
  }
}

const stopping = new AbortController()
const remote = remotePorts(send)

const lastWord = (message: FromChild): void => send(message, () => process.disconnect())

const begin = (task: ApartTask): Promise<void> =>
  carryOut(remote, task, stopping.signal).then(
    () => lastWord({ type: 'done' }),
    (error: unknown) => lastWord({ type: 'failed', error: toSent(error) }),
  )

process.on('message', (message: ToChild) => {
  if (message.type === 'begin') void begin(message.task)
  else if (message.type === 'stop') stopping.abort(new Error('The server is stopping'))
  else remote.hear(message)
})
// Ctrl-C and a terminal that goes reach the whole process group: the asker decides when this process ends.
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => process.exit(0))
beEndedFirst()
