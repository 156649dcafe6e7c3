import { expect, it } from 'vitest'
import type { JobName } from '#application/job-data.ts'
import type { JobContext, JobHandlers } from '#application/kernel/ports/job-queue.ts'
import { apartWhenAsked } from './handlers.ts'

const job = (apart: boolean): JobContext => ({
  id: 'a-job',
  attempt: 1,
  again: false,
  apart,
  signal: new AbortController().signal,
  progress: () => undefined,
})

/** Where a job of a kind is run at its first try. */
const runOf = async (name: JobName, apart: boolean): Promise<string> => {
  let where = 'nowhere'
  const here = async (): Promise<void> => {
    where = 'here'
  }
  // What the handlers have beside `run`, and their data, nobody looks at here.
  const handlers = {
    'sync-blog': { run: here, isApart: true },
    'mail-enquiry': { run: here },
  } as unknown as JobHandlers
  const all = apartWhenAsked(handlers, async (which) => {
    where = `apart: ${which}`
  })
  await all[name].run({} as never, job(apart))
  return where
}

it('a job runs in a process of its own once it ended one, or where its handler wants it', async () => {
  expect(await runOf('mail-enquiry', false)).toBe('here')
  expect(await runOf('mail-enquiry', true)).toBe('apart: mail-enquiry')
  expect(await runOf('sync-blog', false)).toBe('apart: sync-blog')
})
