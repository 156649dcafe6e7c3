import { StaleVersion, TooManyConflicts } from '#application/execute.ts'
import { TooManyAttempts } from '#application/accounts/sign-in.ts'
import { NotAPicture } from '#application/images/copy-picture.ts'
import { BlogFeedError } from '#application/ports/blog-feed.ts'
import { DiskFull, EngineAway, RevisionConflict } from '#application/ports/event-store.ts'
import { PictureRefused, PictureWorkFailed } from '#application/ports/pictures.ts'
import { refusedBy, type Refused } from '#application/refused.ts'
import { type ErrorBody, unauthorized } from '#web/contract/errors.ts'
import { imageTooLarge } from '#web/contract/images.ts'

/** A refusal that the edge itself decides. The message is for the person. */
export class CallRefused extends Error {
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
    this.name = 'CallRefused'
    this.status = status
    this.fields = more.fields
    this.retryAfterMs = more.retryAfterMs
  }
}

/** Nobody is signed in (decisions 2). */
export class SignedOut extends Error {
  constructor() {
    super(unauthorized.message)
    this.name = 'SignedOut'
  }
}

/** What an error is answered with. */
export interface ErrorAnswer {
  readonly status: number
  readonly body: ErrorBody
  /** whole seconds, for `Retry-After` */
  readonly retryAfter: number | null
  /** a mistake of ours: written to the log with its stack */
  readonly unexpected: boolean
}

const nothingHere = 'There is no such thing here'
const ofRefusal: Readonly<Record<Refused['kind'], number>> = {
  missing: 404,
  taken: 409,
  blocked: 409,
  invalid: 422,
}

/** How long to wait when an engine is away; nobody knows better. */
const awaySeconds = 5

const answer = (
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

const textIn = (error: Error, key: string): string => {
  const value = key in error ? Reflect.get(error, key) : null
  return typeof value === 'string' ? value : ''
}

/** Words for what a parser of bodies, a router or Koa itself refuses by status alone (decisions 46, 54). */
const byStatus = (status: number, upload: boolean): string | null => {
  switch (status) {
    case 400:
      return upload
        ? 'The upload arrived damaged. Please send it again'
        : 'The body cannot be read: it must be valid JSON in UTF-8'
    case 404:
      return nothingHere
    case 405:
      return 'This address does not take that method'
    case 413:
      return upload ? imageTooLarge : 'This is too large: a call may carry at most 1 MB'
    case 415:
      return 'This kind of body is not understood here'
    case 501:
      return 'This method is not known here'
    default:
      return null
  }
}

/** Its numbers for too long a field, too many fields and too many files: more was sent than one picture. */
const formidableExtras: ReadonlySet<number> = new Set([1006, 1007, 1015])
const onePicture = 'Send one picture, and nothing else'

/** Statuses that libraries put on their errors: Koa and raw-body `status`, formidable `httpCode`. */
const statusOf = (error: Error): number | null => numberIn(error, 'status') ?? numberIn(error, 'httpCode')

/** The numbers formidable gives what the sender is to blame for, whatever status it says (its FormidableError). */
const formidableFaults: ReadonlySet<number> = new Set([1002, 1005, 1010, 1011, 1012, 1013, 1014])

const ofLibrary = (error: Error, upload: boolean): ErrorAnswer | null => {
  const code = textIn(error, 'code')
  if (code === 'ENOSPC' || code === 'EDQUOT') return ofEngine(new DiskFull({ cause: error }), upload)
  if (code.startsWith('Z_')) return answer(400, 'The compressed body cannot be unpacked')
  if (numberIn(error, 'httpCode') !== null && formidableFaults.has(numberIn(error, 'code') ?? 0)) {
    return answer(400, byStatus(400, upload) ?? '')
  }
  if (numberIn(error, 'httpCode') !== null && formidableExtras.has(numberIn(error, 'code') ?? 0)) {
    return answer(422, onePicture, { fields: { image: onePicture } })
  }
  const status = statusOf(error)
  if (status === null || status >= 500) return null
  const words = byStatus(status, upload)
  return words === null ? null : answer(status, words)
}

const ofEngine = (error: EngineAway, upload: boolean): ErrorAnswer =>
  error instanceof DiskFull && upload
    ? answer(507, error.message)
    : answer(503, error.message, { retryAfterMs: awaySeconds * 1_000 })

/**
 * What an error is answered with: status, words and fields as decided (1, 2, 13, 46, 51, 54, 109). Whatever
 * is not known here is a mistake of ours and says no more than that (ASVS 16.5.1).
 * @param upload the call sends a picture
 * @param requestId named in the words of an unexpected error, so that its line in the log can be found
 */
export const answerTo = (error: unknown, upload: boolean, requestId: string): ErrorAnswer => {
  const known = error instanceof Error ? knownError(error, upload) : null
  return (
    known ??
    answer(500, `Something went wrong here, not with you. Please try again; the request was ${requestId}`, {
      unexpected: true,
    })
  )
}

const knownError = (error: Error, upload: boolean): ErrorAnswer | null => {
  if (error instanceof SignedOut) return answer(401, unauthorized.message)
  if (error instanceof CallRefused) {
    return answer(error.status, error.message, { fields: error.fields, retryAfterMs: error.retryAfterMs })
  }
  const refused = refusedBy(error)
  if (refused !== null) return answer(ofRefusal[refused.kind], refused.message, { fields: refused.fields })
  if (error instanceof StaleVersion) return answer(409, error.message)
  if (error instanceof TooManyAttempts)
    return answer(429, error.message, { retryAfterMs: error.retryAfterMs })
  if (error instanceof TooManyConflicts) return answer(503, error.message, { retryAfterMs: 1_000 })
  // Only a writer that bypasses `execute` lets one through; to the person it is the same as above.
  if (error instanceof RevisionConflict) {
    return answer(503, 'Too many changes at once. Please try again in a moment', {
      retryAfterMs: 1_000,
      unexpected: true,
    })
  }
  if (error instanceof EngineAway) return ofEngine(error, upload)
  if (error instanceof PictureRefused)
    return answer(error.status, error.message, upload ? atImage(error) : {})
  if (error instanceof NotAPicture) return answer(422, error.message)
  if (error instanceof PictureWorkFailed) {
    return answer(503, 'The picture could not be worked on just now. Please try again in a moment', {
      retryAfterMs: awaySeconds * 1_000,
      unexpected: true,
    })
  }
  if (error instanceof BlogFeedError) return answer(502, error.message)
  return ofLibrary(error, upload)
}

const atImage = (error: PictureRefused) => ({ fields: { image: error.message } })
