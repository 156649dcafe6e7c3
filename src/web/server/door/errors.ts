import { UnreadableEvent, unreadableToPeople } from '#application/kernel/codec.ts'
import { refusedBy, StaleVersion, TooManyConflicts } from '#application/kernel/execute.ts'
import { UnreadableDocuments } from '#application/kernel/ports/documents.ts'
import { lacksHandles, lacksRoom } from '#application/kernel/outage.ts'
import { DiskFull, EngineAway, RevisionConflict } from '#application/kernel/ports/event-store.ts'
import { PasswordsBusy, PasswordUnreadable } from '#application/kernel/ports/passwords.ts'
import { type ErrorBody, unauthorized } from '#web/contract/errors.ts'

/** Of the body of any call but an upload. */
export const tooLarge = 'This is too large: at most 64 kB can be sent at once, and 1 MB by who is logged in'

/** A refusal that the edge itself decides. The message is for the person. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  readonly status: number
  readonly fields: Readonly<Record<string, string>> | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    status: number,
    message: string,
    more: {
      readonly fields?: Readonly<Record<string, string>> | undefined
      readonly retryAfterMs?: number
    } = {},
  ) {
    super(message)
    this.status = status
    this.fields = more.fields
    this.retryAfterMs = more.retryAfterMs
  }
}

/** Nobody is signed in. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut'

  constructor() {
    super(unauthorized.message)
  }
}

/** A page cannot be made, for what makes it could not be loaded, as where there are no file handles. */
export class PageAway extends Error {
  override readonly name = 'PageAway'

  constructor(cause: unknown) {
    super('The site is busy just now. Please try again in a moment', { cause })
  }
}

/** So much is being made for others that nothing more is taken up. */
export class SiteBusy extends Error {
  override readonly name = 'SiteBusy'

  constructor() {
    super('Many people are looking at the site just now. Please try again in a moment')
  }
}

/** Nobody waits any more for what would have been made. */
export class ReaderLeft extends Error {
  override readonly name = 'ReaderLeft'

  constructor() {
    super('Nobody waits for this any more')
  }
}

export interface ErrorAnswer {
  readonly status: number
  readonly body: ErrorBody
  /** whole seconds, for `Retry-After` */
  readonly retryAfter: number | null
  /** a mistake of ours: written to the log with its stack */
  readonly unexpected: boolean
}

/** What the modules add: answers to their own errors, and the words for an upload that is too large. */
export interface ModuleErrors {
  /** null for an error that is none of theirs */
  readonly answer: (error: Error, upload: boolean) => ErrorAnswer | null
  /** whether an error of theirs is a refusal: nothing was written, and the sender may correct it */
  readonly isRefusal: (error: unknown) => boolean
  readonly uploadTooLarge: string
}

/** Words for what a router refuses by status alone. */
export const statusWords = {
  404: 'There is no such thing here',
  405: 'This address does not take that method',
  501: 'This method is not known here',
} as const

/** What a refusal is answered with, by its kind. */
export const statusOfRefusal = {
  missing: 404,
  taken: 409,
  blocked: 409,
  invalid: 422,
} as const satisfies Record<NonNullable<ReturnType<typeof refusedBy>>['kind'], number>

/** How long to wait when an engine is away; nobody knows better. */
const awaySeconds = 5
/** How long until a short queue has moved on. */
const busySeconds = 2

/** Makes an answer. @param more.retryAfterMs rounded up to whole seconds */
export const answer = (
  status: number,
  message: string,
  more: {
    readonly fields?: Readonly<Record<string, string>> | undefined
    readonly retryAfterMs?: number | undefined
    readonly unexpected?: boolean
  } = {},
): ErrorAnswer => ({
  status,
  body: more.fields === undefined ? { message } : { message, fields: { ...more.fields } },
  retryAfter: more.retryAfterMs === undefined ? null : Math.max(1, Math.ceil(more.retryAfterMs / 1_000)),
  unexpected: more.unexpected ?? false,
})

const numberIn = (error: Error, key: string): number | null => {
  const value = key in error ? Reflect.get(error, key) : null
  return typeof value === 'number' ? value : null
}

/** Words for what a parser of bodies, a router or Koa itself refuses by status alone. */
const byStatus = (status: number, upload: string | null): string | null => {
  switch (status) {
    case 400:
      return upload
        ? 'The upload arrived damaged. Please send it again'
        : 'The body cannot be read: it must be valid JSON in UTF-8'
    case 404:
    case 405:
    case 501:
      return statusWords[status]
    case 413:
      return upload ? upload : tooLarge
    case 415:
      return 'This kind of body is not understood here'
    default:
      return null
  }
}

/** Its numbers for too long a field, too many fields and too many files: more was sent than one image. */
const formidableExtras: ReadonlySet<number> = new Set([1006, 1007, 1015])
const oneImage = 'Send one picture, and nothing else'

/** Statuses that libraries put on their errors: Koa and raw-body `status`, formidable `httpCode`. */
const statusOf = (error: Error): number | null => numberIn(error, 'status') ?? numberIn(error, 'httpCode')

/** The numbers formidable gives what the sender is to blame for, whatever status it says (its FormidableError). */
const formidableFaults: ReadonlySet<number> = new Set([1002, 1005, 1010, 1011, 1012, 1013, 1014])

/** What to do stands in the log, which says which documents these are. */
const notShown =
  'Something that belongs here is damaged, so this cannot be shown just now. Whoever runs the site finds in its log how it is made anew'

const noHandles = 'The server has too many files open just now. Please try again in a moment'

const ofLibrary = (error: Error, modules: ModuleErrors, upload: boolean): ErrorAnswer | null => {
  const words = (status: number): string | null => byStatus(status, upload ? modules.uploadTooLarge : null)
  // Node's loader of modules has a code of its own for a file that it cannot open.
  if (lacksHandles(error) || /too many open files/i.test(error.message))
    return answer(503, noHandles, { retryAfterMs: awaySeconds * 1_000, unexpected: true })
  if (lacksRoom(error)) return ofEngine(new DiskFull({ cause: error }), upload)
  if (numberIn(error, 'httpCode') !== null && formidableFaults.has(numberIn(error, 'code') ?? 0)) {
    return answer(400, words(400) ?? '')
  }
  if (numberIn(error, 'httpCode') !== null && formidableExtras.has(numberIn(error, 'code') ?? 0)) {
    return answer(422, oneImage, { fields: { image: oneImage } })
  }
  const status = statusOf(error)
  if (status === null || status >= 500) return null
  const found = words(status)
  return found === null ? null : answer(status, found)
}

const ofEngine = (error: EngineAway, upload: boolean): ErrorAnswer =>
  error instanceof DiskFull && upload
    ? answer(507, error.message)
    : answer(503, error.message, { retryAfterMs: awaySeconds * 1_000 })

/**
 * What an error is answered with: status, words and fields. Whatever is not known here is a mistake of ours and says no more than that (ASVS 16.5.1).
 * @param modules of the errors that the door does not know
 * @param upload the call sends a file
 * @param requestId named in the words of an unexpected error, so that its line in the log can be found
 */
export const answerTo = (
  error: unknown,
  modules: ModuleErrors,
  upload: boolean,
  requestId: string,
): ErrorAnswer => {
  const known = error instanceof Error ? knownError(error, modules, upload) : null
  return (
    known ??
    answer(500, `Something went wrong here, not with you. Please try again; the request was ${requestId}`, {
      unexpected: true,
    })
  )
}

const knownError = (error: Error, modules: ModuleErrors, upload: boolean): ErrorAnswer | null => {
  if (error instanceof SignedOut) return answer(401, unauthorized.message)
  if (error instanceof CallRefused) {
    return answer(error.status, error.message, { fields: error.fields, retryAfterMs: error.retryAfterMs })
  }
  const refused = refusedBy(error)
  if (refused !== null)
    return answer(statusOfRefusal[refused.kind], refused.message, { fields: refused.fields })
  if (error instanceof StaleVersion) return answer(409, error.message)
  if (error instanceof UnreadableEvent) return answer(503, unreadableToPeople, { unexpected: true })
  if (error instanceof UnreadableDocuments) return answer(503, notShown, { unexpected: true })
  if (error instanceof PasswordsBusy) return answer(503, error.message, { retryAfterMs: busySeconds * 1_000 })
  if (error instanceof SiteBusy || error instanceof ReaderLeft)
    return answer(503, error.message, { retryAfterMs: busySeconds * 1_000 })
  if (error instanceof PasswordUnreadable) return answer(503, error.message)
  if (error instanceof TooManyConflicts) return answer(503, error.message, { retryAfterMs: 1_000 })
  // Only a writer that bypasses `execute` lets one through; to the person it is the same as above.
  if (error instanceof RevisionConflict) {
    return answer(503, 'Too many changes at once. Please try again in a moment', {
      retryAfterMs: 1_000,
      unexpected: true,
    })
  }
  if (error instanceof PageAway)
    return answer(503, error.message, { retryAfterMs: awaySeconds * 1_000, unexpected: true })
  if (error instanceof EngineAway) return ofEngine(error, upload)
  return modules.answer(error, upload) ?? ofLibrary(error, modules, upload)
}
