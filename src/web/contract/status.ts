import { z } from 'zod'
import { acceptedBody, conflictBody, errorBody } from './errors.ts'
import { defineCalls } from './call.ts'
import { count, opaqueIdParams, timestamp } from './field-schemas.ts'

/** What the dashboard says about the site itself; `freeBytes` is null where MongoDB does not tell them. */
export const status = z.strictObject({
  version: z.string(),
  firstPassword: z.boolean(),
  firstStepsAway: z.boolean(),
  mail: z.enum(['on', 'off']),
  backup: z
    .strictObject({
      finishedAt: timestamp().nullable(),
      error: z.string().nullable(),
      /** when a backup was last restored for a look, and what it lacked; null: never */
      check: z.strictObject({ at: timestamp(), error: z.string().nullable() }).nullable(),
    })
    .nullable(),
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

const jobList = z.strictObject({ items: z.array(job) })
export type JobList = z.output<typeof jobList>

/** How many of a kind go with the sample content, and how many stay. */
const goAndStay = z.strictObject({ go: count(), stay: count() })

/**
 * What removing the sample content would do. What she has changed of it is hers and stays, as do the categories
 * and mediums that something which stays is filed under.
 */
const samples = z.strictObject({
  artworks: goAndStay,
  posts: goAndStay,
  /** `untouched`: the names of those that go */
  texts: goAndStay.extend({ untouched: z.array(z.string()) }),
  categories: goAndStay,
  mediums: goAndStay,
})
export type Samples = z.output<typeof samples>

export const statusCalls = defineCalls('status', {
  getStatus: {
    summary: 'Version, first password, first steps, mail, backup and free space',
    answers: { 200: status },
  },
  listJobs: {
    summary: 'The work that waits, runs or has failed',
    answers: { 200: jobList },
  },
  countSamples: {
    summary: 'What would go with the sample content, and what would stay, in counts',
    answers: { 200: samples },
  },
  retryJob: {
    summary: 'Tries work again that has failed for good, or at once that waits',
    params: opaqueIdParams,
    answers: { 200: job, 404: errorBody, 409: conflictBody(job) },
  },
  removeSamples: {
    summary: 'Removes the sample content that was never changed',
    answers: { 204: null, 202: acceptedBody },
  },
  getOpenApi: {
    summary: 'This description of the calls',
    access: 'anyone',
    answers: { 200: z.looseObject({ openapi: z.string() }), 304: null },
  },
})
