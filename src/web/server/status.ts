import { retryJob } from '#application/jobs/retry-job.ts'
import type { JobView } from '#application/kernel/ports/job-queue.ts'
import { countSamples } from '#application/samples/remove-samples.ts'
import { removeSamplesSoon } from '#application/samples/samples.ts'
import { getContactEmail } from '#projections/site-content/queries.ts'
import { calls } from '#web/contract/calls.ts'
import { openApiDocument } from '#web/contract/openapi.ts'
import type { Job, JobList, Status } from '#web/contract/status.ts'
import type { WebDeps } from './deps.ts'
import { jsonType, sessionCookieOf } from './door/headers.ts'
import { answerWith, type CachedPage, cacheRendered } from './door/cached-page.ts'
import { sendReady } from './call/ready-bytes.ts'
import type { ModuleRoutes } from './call/route.ts'

/** So many jobs are listed of what failed for good, and of all else; the newest first. */
const jobsListed = 200

const answerOf = ({ id, name, subjectId, state, done, total, reason }: JobView): Job => ({
  id,
  name,
  subjectId,
  state,
  done,
  total,
  reason,
})

export const statusRoutes = (
  deps: Pick<WebDeps, 'app' | 'documents' | 'jobs' | 'settings' | 'backup' | 'freeBytes'>,
): ModuleRoutes<'status'> => {
  const { app, documents, jobs, settings, backup, freeBytes } = deps
  const { version, mailTo, publicUrl } = settings
  /** Letters need an address as well: that of the settings, else the one that she has saved. */
  const mailStatus = async (): Promise<Status['mail']> =>
    settings.mail === 'on' && (mailTo ?? (await getContactEmail(documents))) !== '' ? 'on' : 'off'
  let description: CachedPage | null = null
  const describe = (): CachedPage => {
    const document = openApiDocument(calls, {
      version,
      cookie: sessionCookieOf(publicUrl),
      url: publicUrl,
    })
    const body = Buffer.from(JSON.stringify(document))
    return cacheRendered({ status: 200, contentType: jsonType, policy: '', body }, version, {})
  }
  return {
    getStatus: {
      read: async ({ account }): Promise<Status> => {
        const [lastBackup, free, mail] = await Promise.all([backup(), freeBytes(), mailStatus()])
        const { firstPassword, firstStepsAway } = account
        return { version, firstPassword, firstStepsAway, mail, backup: lastBackup, freeBytes: free }
      },
    },
    listJobs: {
      read: async (): Promise<JobList> => {
        // What waits for a person is never pushed out of the list by what goes well, nor by another kind of work.
        const [parked, others] = await Promise.all([
          jobs.list({ states: ['parked'], limit: jobsListed, ofEachKind: true }),
          jobs.list({ states: ['waiting', 'running', 'done'], limit: jobsListed }),
        ])
        return { items: [...parked, ...others].map(answerOf) }
      },
    },
    retryJob: {
      act: async ({ params: { id } }) => {
        await retryJob(jobs, id)
        return { id, position: null, visible: true }
      },
      reply: async (id) => {
        const found = await jobs.find(id)
        return found === null ? null : answerOf(found)
      },
    },
    countSamples: { read: () => countSamples(app) },
    removeSamples: { act: ({ command }) => removeSamplesSoon(app, command) },
    getOpenApi: {
      answer: async ({ ctx }) => {
        description ??= describe()
        const ready = description
        await sendReady(ctx, (asked) => answerWith(ready, asked))
      },
    },
  }
}
