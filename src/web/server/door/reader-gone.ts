import { codeOf } from '#application/kernel/reason.ts'

/** What Node says of a connection that the other end has closed, and of an answer that was on its way there. */
const gone: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
])

/** Whether an answer failed because nobody waits for it any more: a closed tab, a lost network. */
export const isReaderGone = (error: unknown): boolean => gone.has(codeOf(error) ?? '')
