import { z } from 'zod'
import { acceptedBody } from './errors.ts'
import { defineCall } from './call.ts'
import { count, timestamp } from './fields.ts'

/** What the dashboard says about the site itself; `freeBytes` is null where the data is not on this machine. */
export const status = z.strictObject({
  version: z.string(),
  firstPassword: z.boolean(),
  mail: z.enum(['on', 'off']),
  backup: z.strictObject({ finishedAt: timestamp().nullable(), error: z.string().nullable() }).nullable(),
  freeBytes: count().nullable(),
})
export type Status = z.output<typeof status>

/** One piece of work behind the scenes; `done` of `total` steps, `reason` when it is parked. */
export const job = z.strictObject({
  id: z.string(),
  name: z.string(),
  subjectId: z.string(),
  state: z.enum(['waiting', 'running', 'parked', 'done']),
  done: count(),
  total: count(),
  reason: z.string().nullable(),
})
export type Job = z.output<typeof job>

export const jobList = z.strictObject({ items: z.array(job) })
export type JobList = z.output<typeof jobList>

export const statusCalls = {
  getStatus: defineCall({
    method: 'GET',
    path: '/api/status',
    name: 'getStatus',
    module: 'status',
    summary: 'Version, first password, mail, backup and free space',
    access: 'owner',
    answers: { 200: status },
  }),
  listJobs: defineCall({
    method: 'GET',
    path: '/api/jobs',
    name: 'listJobs',
    module: 'status',
    summary: 'The work that waits, runs or has failed',
    access: 'owner',
    answers: { 200: jobList },
  }),
  removeSamples: defineCall({
    method: 'DELETE',
    path: '/api/samples',
    name: 'removeSamples',
    module: 'status',
    summary: 'Removes the sample content',
    access: 'owner',
    consumes: 'none',
    answers: { 204: null, 202: acceptedBody },
  }),
  getOpenApi: defineCall({
    method: 'GET',
    path: '/api/openapi.json',
    name: 'getOpenApi',
    module: 'status',
    summary: 'This description of the calls',
    access: 'anyone',
    answers: { 200: z.looseObject({ openapi: z.string() }), 304: null },
  }),
}
