import { decode, encode, type Encoding, encodingFor, brotliQuality } from './encoding.ts'
import { cachingHeaders, hashOf, matchesTag } from './headers.ts'
import type { Reader } from './lane.ts'
import { shareWork } from '#application/kernel/sharing.ts'

/** An answer as it goes on the wire. The objects are shared between requests: never change one. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What a reader says about the bytes it can take. */
export interface PageAsked {
  /** the request carries the session cookie, checked or not */
  readonly session?: boolean
  readonly acceptEncoding?: string | undefined
  readonly ifNoneMatch?: string | undefined
  /** without one the answer is always wanted */
  readonly reader?: Reader
}

/** What was rendered, before it is compressed. */
export interface Rendered {
  readonly status: number
  readonly contentType: string
  /** the content security policy; empty for what is no page, which has that of the common headers */
  readonly policy: string
  readonly body: Buffer
}

/** The compressed forms that everybody gets, and how well they are compressed. */
export interface Forms {
  readonly br: Buffer
  readonly gzip: Buffer
  readonly quality: number
}

/** One ready answer with its 304. */
export interface Ready {
  readonly etag: string
  readonly full: PageAnswer
  readonly unchanged: PageAnswer
}

const nothing = Buffer.alloc(0)

/** @param headers of both */
export const readyOf = (
  etag: string,
  headers: Readonly<Record<string, string>>,
  { status, contentType, body }: Pick<Rendered, 'status' | 'contentType' | 'body'>,
): Ready => ({
  etag,
  full: {
    status,
    headers: { ...headers, 'content-type': contentType, 'content-length': String(body.length) },
    body,
  },
  unchanged: { status: 304, headers, body: nothing },
})

const sessionTag = '<html lang="en-IN" data-session'
const sessionPlace = '<html lang="en-IN"'

export interface CachedPageOptions {
  /** what the read models stood at when the page was rendered */
  readonly version: string
  readonly status: number
  readonly contentType: string
  readonly policy: string
  /** names the uncompressed content; part of every tag */
  readonly contentHash: string
  readonly common: Readonly<Record<string, string>>
}

/**
 * One rendered page with its compressed forms, made when first asked for. Nothing is kept uncompressed
 * unless somebody wants it so.
 */
export interface CachedPage {
  readonly version: string
  readonly contentHash: string
  readonly status: number
  readonly contentType: string
  readonly policy: string
  /** The ready answer, or null when that form has to be made first with `prepare`. */
  readonly answer: (asked: PageAsked) => PageAnswer | null
  readonly prepare: (asked: PageAsked) => Promise<void>
  /** Takes the forms that an equal page was already given. */
  readonly adopt: (forms: Forms) => void
  /** Replaces the quick compression by the small one, under a new tag. */
  readonly compress: () => Promise<void>
  /** The small forms; null before `compress`. */
  readonly compressed: () => Forms | null
  /** The small forms, before `compress` the quick ones. */
  readonly forms: () => Promise<Forms>
  /** Bytes held in memory. */
  readonly size: () => number
}

/** A page that was rendered just now. */
export const cacheRendered = (
  rendered: Rendered,
  version: string,
  common: Record<string, string>,
): CachedPage => {
  const { status, contentType, policy, body } = rendered
  const contentHash = hashOf(body)
  return cachedPage(
    { version, status, contentType, policy, contentHash, common },
    { source: body, encoding: 'identity' },
  )
}

/** A page that was read back from disk. */
export const cacheCompressed = (options: CachedPageOptions, forms: Forms): CachedPage => {
  const page = cachedPage(options, { source: forms.br, encoding: 'br' })
  page.adopt(forms)
  return page
}

/** Names the form of a page in which it is answered. */
export const formOf = ({ acceptEncoding, session = false }: PageAsked): string =>
  slot(encodingFor(acceptEncoding), session)

/** The page's answer, whose form is made where it is not ready. */
export const answerWith = async (page: CachedPage, asked: PageAsked): Promise<PageAnswer> => {
  for (;;) {
    const ready = page.answer(asked)
    if (ready) return ready
    await page.prepare(asked)
  }
}

/** The answer of a page that is older than what the engines hold, marked as such. */
export const staleAnswerWith = async (page: CachedPage, asked: PageAsked): Promise<PageAnswer> => {
  const { status, headers, body } = await answerWith(page, asked)
  return { status, headers: { ...headers, warning: '110 - "Response is Stale"' }, body }
}

interface Source {
  readonly source: Buffer
  readonly encoding: Encoding
}

const cachedPage = (options: CachedPageOptions, from: Source): CachedPage => {
  const { version, status, contentType, policy, contentHash, common } = options
  const ready = new Map<string, Ready>()
  const once = shareWork<void>()
  let origin: Source = from
  let small: Forms | null = null

  const make = (body: Buffer, encoding: Encoding, session: boolean, quality: number): Ready => {
    const etag = `"${contentHash}-${encoding}${encoding === 'identity' ? '' : quality}"`
    const headers = {
      ...common,
      ...(policy === '' ? {} : { 'content-security-policy': policy }),
      ...cachingHeaders(session ? 'private' : 'shared', encoding, etag),
    }
    return readyOf(etag, headers, { status, contentType, body })
  }

  const put = (encoding: Encoding, session: boolean, body: Buffer, quality: number): void => {
    ready.set(slot(encoding, session), make(body, encoding, session, quality))
  }

  const prepare = async (encoding: Encoding, session: boolean): Promise<void> => {
    const plain = await decode(origin.source, origin.encoding)
    const bytes = session ? withSession(plain) : plain
    const body = await encode(bytes, encoding, brotliQuality.first)
    // `compress` may have come first; its form is the better one.
    if (ready.has(slot(encoding, session))) return
    put(encoding, session, body, brotliQuality.first)
    // A compressed form is source enough for the others; a big page's text need not stay beside it.
    if (origin.encoding === 'identity' && encoding !== 'identity' && !session) {
      origin = { source: body, encoding }
    }
  }

  const adopt = (forms: Forms): void => {
    if (forms.quality === brotliQuality.final) small = forms
    // From now on the compressed form is the source of all others; the uncompressed text may go.
    origin = { source: forms.br, encoding: 'br' }
    put('br', false, forms.br, forms.quality)
    put('gzip', false, forms.gzip, forms.quality)
  }

  const formsOf = async (quality: number): Promise<Forms> => {
    const plain = await decode(origin.source, origin.encoding)
    return { br: await encode(plain, 'br', quality), gzip: await encode(plain, 'gzip', quality), quality }
  }

  return {
    version,
    contentHash,
    status,
    contentType,
    policy,
    answer: ({ acceptEncoding, session = false, ifNoneMatch }) => {
      const encoding = encodingFor(acceptEncoding)
      const found = ready.get(slot(encoding, session))
      if (!found) return null
      if (session || status !== 200 || ifNoneMatch === undefined) return found.full
      return matchesTag(ifNoneMatch, found.etag) ? found.unchanged : found.full
    },
    prepare: ({ acceptEncoding, session = false }) => {
      const encoding = encodingFor(acceptEncoding)
      const name = slot(encoding, session)
      if (ready.has(name)) return Promise.resolve()
      return once(name, () => prepare(encoding, session))
    },
    compress: async () => {
      if (!small) adopt(await formsOf(brotliQuality.final))
    },
    compressed: () => small,
    forms: async () => small ?? formsOf(brotliQuality.first),
    size: () => {
      const bodies = new Set([origin.source, ...[...ready.values()].map(({ full }) => full.body)])
      return [...bodies].reduce((sum, body) => sum + body.length, 0)
    },
    adopt,
  }
}

/** What a form is kept under. */
const slot = (encoding: Encoding, session: boolean): string => (session ? `${encoding} session` : encoding)

/** The same page with the mark that lets the browser ask who is signed in. */
const withSession = (html: Buffer): Buffer => {
  const at = html.indexOf(sessionPlace)
  if (at < 0) return html
  return Buffer.concat([
    html.subarray(0, at),
    Buffer.from(sessionTag),
    html.subarray(at + sessionPlace.length),
  ])
}
