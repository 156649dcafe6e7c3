import { removeSamples } from '#application/samples/samples.ts'
import { type CallName, calls } from '#web/contract/calls.ts'
import { openApiDocument } from '#web/contract/openapi.ts'
import type { JobList, Status } from '#web/contract/status.ts'
import { sessionCookieOf, type WebDeps } from '../deps.ts'
import { sendJson } from '../json.ts'
import type { Routes } from '../route.ts'

type Names = Extract<CallName, 'getStatus' | 'listJobs' | 'removeSamples' | 'getOpenApi'>

/** So many jobs are listed, the newest first. */
const jobsListed = 200

export const statusRoutes = (
  deps: Pick<WebDeps, 'app' | 'jobs' | 'settings' | 'backup' | 'freeBytes'>,
): Routes<Names> => {
  const { app, jobs, settings, backup, freeBytes } = deps
  const { version, mail, publicUrl } = settings
  let description: object | null = null
  return {
    getStatus: {
      read: async ({ account }): Promise<Status> => {
        const [lastBackup, free] = await Promise.all([backup(), freeBytes()])
        return { version, firstPassword: account.firstPassword, mail, backup: lastBackup, freeBytes: free }
      },
    },
    listJobs: {
      read: async (): Promise<JobList> => {
        const items = await jobs.list({ limit: jobsListed })
        return {
          items: items.map(({ id, name, subjectId, state, done, total, reason }) => ({
            id,
            name,
            subjectId,
            state,
            done,
            total,
            reason,
          })),
        }
      },
    },
    removeSamples: {
      act: async ({ command }) => {
        await removeSamples(app, command)
        return { id: 'samples', position: null, visible: true }
      },
    },
    getOpenApi: {
      answer: async ({ ctx }) => {
        description ??= openApiDocument(calls, {
          version,
          cookie: sessionCookieOf(publicUrl),
          url: publicUrl,
        })
        await sendJson(ctx, 200, description, 'shared')
      },
    },
  }
}
