import { keysOf } from '#domain/field-rules.ts'

/** Every kind of background work, with the ids that a job of it carries; none carries content. */
const idsOf = {
  'process-image': ['hash'],
  // A row of their own: a blog has thousands, and what she uploads meanwhile waits for one of them at most.
  'process-journal-image': ['hash'],
  'copy-artwork-picture': ['artworkId', 'sourceUrl'],
  'copy-journal-pictures': ['postId'],
  'sync-blog': ['runId'],
  'mail-enquiry': ['messageId'],
} as const

export type JobName = keyof typeof idsOf
export type JobData = {
  readonly [Name in JobName]: { readonly [Id in (typeof idsOf)[Name][number]]: string }
}

export const jobNames: readonly JobName[] = keysOf(idsOf)

/** The jobs that make the sizes of an image. */
export const imageJobs = ['process-image', 'process-journal-image'] as const satisfies readonly JobName[]
/** One of {@link imageJobs}. */
export type ImageJob = (typeof imageJobs)[number]
/** Whether a job makes the sizes of an image. */
export const isImageJob = (name: JobName): name is ImageJob => imageJobs.some((each) => each === name)
