import { keysOf } from '#domain/field-rules.ts'

/** Every kind of background work, with the ids that a job of it carries; none carries content. */
const idsOf = {
  'process-image': ['hash'],
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
