/**
 * The only way out to addresses that people type in: the blog, its images, an image given by address. http and https
 * only; private, loopback, link-local and metadata addresses are refused, also behind names and behind every redirect,
 * of which there may be five; bytes and time are bounded.
 */
export interface SafeFetchRequest {
  readonly url: string
  /** of the body after decompression */
  readonly maxBytes: number
  /** for the whole exchange, redirects and body included; default 30 s */
  readonly timeoutMs?: number
  /** value of the `Accept` header */
  readonly accept?: string
  /** what an earlier answer said: sent as `If-None-Match` and `If-Modified-Since` */
  readonly validators?: FetchValidators | null
  readonly signal?: AbortSignal
}

/** How an address says which state of a page it gave. */
export interface FetchValidators {
  readonly etag: string | null
  readonly lastModified: string | null
}

export interface SafeFetchAnswer {
  /** any status but a redirect; 304 only when validators were sent */
  readonly status: number
  /** the address that answered in the end */
  readonly url: string
  /** `charset` parameter of the content type, lower-case; null when the server does not say */
  readonly charset: string | null
  readonly validators: FetchValidators
}

export interface FetchedBody extends SafeFetchAnswer {
  readonly body: Uint8Array
}

/** Why nothing came. The message is a sentence for the owner. */
export type SafeFetchFailure =
  /** not an http or https address, or with a user name in it */
  | 'address'
  /** leads to this machine or a private network */
  | 'private'
  /** no such host, refused, broken connection, bad certificate */
  | 'unreachable'
  | 'redirects'
  | 'too-large'
  | 'too-slow'

export class SafeFetchError extends Error {
  override readonly name = 'SafeFetchError'
  readonly failure: SafeFetchFailure

  constructor(failure: SafeFetchFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

export interface SafeFetch {
  /** The whole body in memory. @throws {SafeFetchError}, or the signal's reason when aborted by it */
  readonly get: (request: SafeFetchRequest) => Promise<FetchedBody>
  /**
   * The body straight into a new file (mode 0600), which is removed again when anything fails and is not
   * made for a status other than 200. @throws {SafeFetchError}, or the signal's reason when aborted by it
   */
  readonly download: (request: SafeFetchRequest, path: string) => Promise<SafeFetchAnswer>
  readonly close: () => Promise<void>
}
