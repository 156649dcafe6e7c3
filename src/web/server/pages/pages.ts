import type { ContactOutcome, PageAssets, PageData, PageRenderer, PageRequest } from '#web/contract/pages.ts'
import { type Destination, destinationOf, keyGuess, type Places, placesOf } from './address.ts'
import { policyOf, securityHeaders } from '../door/headers.ts'
import {
  type Asked,
  type CachedPage,
  formOf,
  keepRendered,
  type PageAnswer,
  type Rendered,
  staleAnswerWith,
} from '../door/cached-page.ts'
import { pageCache } from '../door/page-cache.ts'
import { openPageFolder } from './page-folder.ts'
import { createCompressor } from '../door/compressor.ts'
import { TEXTS } from './texts.ts'
import { PageAway, ReaderLeft, SiteBusy } from '../door/errors.ts'
import { openLane } from '../door/lane.ts'

export type PagesOptions = {
  /** What anonymous visitors may see at that version. Called only when something must be rendered. */
  readPageData: (version: string) => PageData | Promise<PageData>
  /**
   * Version and position of every read model that pages show, as one text. Called for each
   * request: in process it answers at once, on cluster engines after a checkpoint read that began after the
   * request arrived.
   */
  versions: () => string | Promise<string>
  loadRenderer: () => Promise<PageRenderer>
  assets: PageAssets
  /** without a slash at its end */
  publicUrl: string
  /** where the rendered homepage outlives a restart; without it nothing is written */
  folder?: string
  /** hears of what failed beside an answer: recompression, the folder */
  onError: (error: unknown) => void
  /** ms after which an older answer is better than none; 1,000 unless a test says otherwise */
  timeoutMs?: number
  /** ms that a page must have stood before its small forms are made; 500 unless a test says otherwise */
  debounceMs?: number
}

export type Pages = {
  /**
   * Answers a request for a page or one of the texts beside it; see `handles`. Synchronous whenever the
   * answer is ready and `versions` answered at once.
   * @param path as in the request, percent-encoded; @param query without question mark
   * @throws whatever reading or rendering threw, when there is no older answer to give
   */
  readonly page: (path: string, query: string, context: Asked) => PageAnswer | Promise<PageAnswer>
  /** The homepage with the refused form in it: 422, kept by nobody. */
  readonly contactRefused: (
    outcome: Extract<ContactOutcome, { status: 'refused' }>,
    context: Asked,
  ) => Promise<PageAnswer>
  /** Resolves when nothing is being recompressed or written. */
  readonly settled: () => Promise<void>
  /** Compresses nothing more; resolves when what is under way is done and the homepage is in the folder. */
  readonly close: () => Promise<void>
}

const HOME = '/'
const TIMEOUT_MS = 1_000
const DEBOUNCE_MS = 500
/** Between two renderings: each leaves nobody else a turn, for a tenth of a second in a gallery of 500 works. */
const LONGEST_REST_MS = 250
/**
 * Pages that nobody keeps are made at most so often: their addresses are made up by whoever asks. Past it an unknown
 * category leads to the whole gallery.
 */
const UNCACHED_PAGES = 30
const UNCACHED_WINDOW_MS = 10_000

/** Data and places of one version, read once for all pages that are rendered from it. */
type Snapshot = { version: string; data: PageData; places: Places }

/** Everything that answers `/`, `/artwork/…`, `/admin` and the texts beside them, without a framework. */
export function createPages(options: PagesOptions): Pages {
  const {
    readPageData,
    versions,
    assets,
    publicUrl,
    onError,
    timeoutMs = TIMEOUT_MS,
    debounceMs = DEBOUNCE_MS,
  } = options
  const common = securityHeaders(publicUrl.startsWith('https:'))
  const dev = assets.devHead !== undefined
  const folder = options.folder === undefined ? null : openPageFolder(options.folder, onError)
  const cache = pageCache()
  const renderer = once(() =>
    options.loadRenderer().catch((error: unknown) => {
      throw new PageAway(error)
    }),
  )
  const lane = openLane<CachedPage>({ longestRestMs: LONGEST_REST_MS })
  const mayRender = budget(UNCACHED_PAGES, UNCACHED_WINDOW_MS)
  /** each refused form is a page of its own */
  let refused = 0
  let snapshot: Promise<Snapshot> | null = null
  let snapshotVersion: string | null = null
  const mark = (version: string) => ({ build: assets.build, publicUrl, version })
  /** as it lies in the folder */
  let onDisk: CachedPage | undefined
  const writeDown = async (key: string, page: CachedPage): Promise<void> => {
    if (key !== HOME || dev) return
    await folder?.write(key, page, mark(page.version))
    onDisk = page
  }
  const compressor = createCompressor({
    debounceMs,
    isCurrent: (key, page) => cache.get(key) === page,
    onCompressed: async (key, page) => {
      cache.weigh()
      await writeDown(key, page)
    },
    onError,
  })

  const snapshotAt = (version: string): Promise<Snapshot> => {
    if (snapshot && snapshotVersion === version) return snapshot
    const reading = read(version)
    snapshot = reading
    snapshotVersion = version
    reading.catch(() => {
      // The next request reads again; whoever waits for this one hears of the failure.
      if (snapshot === reading) snapshot = null
    })
    return reading
  }

  const read = async (version: string): Promise<Snapshot> => {
    const data = await readPageData(version)
    return { version, data, places: placesOf(data) }
  }

  const renderPage = async (
    page: PageRequest,
    data: PageData,
    contact: ContactOutcome | undefined,
  ): Promise<Rendered> => {
    const { render } = await renderer()
    const output = await render({ page, data, publicUrl, assets, ...(contact ? { contact } : {}) })
    return {
      status: output.status,
      contentType: 'text/html; charset=utf-8',
      policy: policyOf({ styles: output.styles, scripts: output.scripts, dev }),
      body: Buffer.from(output.html),
    }
  }

  const renderText = async (path: string, data: PageData): Promise<Rendered> => {
    const text = TEXTS[path]
    if (!text) throw new Error(`No text stands at ${path}`)
    const names = async () => (await renderer()).siteNames(data.siteContent)
    const { contentType, body } = await text({ data, publicUrl, names })
    return { status: 200, contentType, policy: '', body: Buffer.from(body) }
  }

  const renderAndPut = async (
    key: string,
    version: string,
    make: () => Promise<Rendered>,
  ): Promise<CachedPage> => {
    const page = keepRendered(await make(), version, common)
    if (dev) return page
    const before = cache.get(key)
    // A change that this page does not show leaves its bytes, and its small forms, as they were.
    const small = before?.contentHash === page.contentHash ? before.compressed() : null
    if (small) page.adopt(small)
    cache.put(key, page)
    // The homepage is asked for again; any other page shows by being asked for twice that it is worth it.
    if (key === HOME || small) compressor.enqueue(key, page)
    return page
  }

  /** What comes out of the lane has the form that was asked for: nothing waits beside it for its compression. */
  const inLane = (
    name: string,
    asked: Asked,
    make: () => Promise<CachedPage>,
    first = false,
  ): Promise<CachedPage> =>
    lane.take(
      name,
      async () => {
        const page = await make()
        await page.prepare(asked)
        cache.weigh()
        return page
      },
      { reader: asked.reader, first },
    )

  /** The page's answer; a form of it that is not ready takes its place in the lane. */
  const answerOf = async (page: CachedPage, asked: Asked): Promise<PageAnswer> => {
    for (;;) {
      const ready = page.answer(asked)
      if (ready) return ready
      await inLane(`${page.contentHash} ${formOf(asked)}`, asked, async () => page)
    }
  }

  /** Renders once for all who ask at the same time, caches the page and compresses it behind their backs. */
  const keep = (
    key: string,
    version: string,
    asked: Asked,
    make: () => Promise<Rendered>,
  ): Promise<CachedPage> => {
    const kept = cache.get(key)
    if (kept?.version === version) return Promise.resolve(kept)
    return inLane(`${version} ${key}`, asked, () => renderAndPut(key, version, make), key === HOME)
  }

  const fromDisk = async (key: string, version: string): Promise<CachedPage | null> => {
    if (!folder || dev || cache.get(key)) return null
    const page = await folder.read(key, mark(version), common)
    if (page) {
      cache.put(key, page)
      onDisk = page
    }
    return page
  }

  /** What the engines have to say for a request, each answer by way of `heard` (see `answerFresh`). */
  const freshPage = async (
    asked: { path: string; query: string; version: string | Promise<string> },
    context: Asked,
    heard: <T>(answer: T | Promise<T>) => Promise<T>,
  ): Promise<CachedPage | { redirect: string }> => {
    const { path, query } = asked
    const key = keyGuess(path, query)
    const version = await heard(asked.version)
    const kept = cache.get(key)
    if (kept?.version === version) return kept
    const stored = await fromDisk(key, version)
    if (stored) return stored
    const { data, places } = await heard(snapshotAt(version))
    if (Object.hasOwn(TEXTS, path)) return keep(path, version, context, () => renderText(path, data))
    const destination = destinationOf(path, query, places)
    if (destination.kind === 'redirect') return { redirect: destination.location }
    const make = () => renderPage(destination.page, data, contactOf(destination))
    if (destination.key === null) {
      if (!mayRender()) return { redirect: '/' }
      const name = `${version} not kept ${query}`
      return inLane(name, context, async () => keepRendered(await make(), version, common))
    }
    return keep(destination.key, version, context, make)
  }

  /**
   * The fresh answer; with an older page at hand, that one when the engines are silent for too long or
   * something fails. Rendering may take its time: a change must be on the very next request.
   */
  const answerFresh = async (
    asked: { path: string; query: string; version: string | Promise<string> },
    context: Asked,
    older: CachedPage | undefined,
  ): Promise<PageAnswer> => {
    const silence = older ? startSilence(timeoutMs) : null
    try {
      const page = await freshPage(asked, context, silence ? silence.orSilent : async (answer) => answer)
      if ('redirect' in page) return redirectTo(page.redirect, common)
      return await answerOf(page, context)
    } catch (error) {
      if (!older) throw error
      const isBusy = error instanceof SiteBusy || error instanceof ReaderLeft
      // A form would have to be made, for which there is no time either.
      if (isBusy && older.answer(context) === null) throw error
      if (!isBusy) onError(error)
      return await staleAnswerWith(older, context)
    } finally {
      silence?.end()
    }
  }

  return {
    page: (path, query, context) => {
      const key = keyGuess(path, query)
      const version = askVersion(versions)
      const kept = cache.get(key)
      if (!kept || kept.version !== version) return answerFresh({ path, query, version }, context, kept)
      compressor.enqueue(key, kept)
      return kept.answer(context) ?? answerOf(kept, context)
    },
    contactRefused: async (outcome, context) => {
      const version = await versions()
      const { data } = await snapshotAt(version)
      const make = () => renderPage({ kind: 'home', category: null }, data, outcome)
      refused += 1
      const page = await inLane(`refused form ${refused}`, context, async () =>
        keepRendered(await make(), version, common),
      )
      const answer = await answerOf(page, context)
      const { etag: _etag, ...headers } = answer.headers
      return { ...answer, headers: { ...headers, 'cache-control': 'private, no-store' } }
    },
    settled: compressor.settled,
    close: async () => {
      await compressor.close()
      // Asked for a moment ago, and not compressed yet: the next start has it all the same.
      const home = cache.get(HOME)
      if (home && home !== onDisk) await writeDown(HOME, home)
    },
  }
}

/** The engines said nothing for as long as an older answer may wait. */
class EnginesSilent extends Error {
  override readonly name = 'EnginesSilent'
}

/** Begins to count a request's timeout; every answer of the engines is heard until it is used up. */
function startSilence(timeoutMs: number) {
  const { promise: silent, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new EnginesSilent(`The engines were silent for ${timeoutMs} ms`)),
    timeoutMs,
  )
  // Nobody may be listening when the time is up.
  silent.catch(() => undefined)
  return {
    orSilent: <T>(answer: T | Promise<T>): Promise<T> => Promise.race([answer, silent]),
    end: () => clearTimeout(timer),
  }
}

/** Says yes so many times in each stretch of time. */
function budget(most: number, windowMs: number): () => boolean {
  let [began, spent] = [0, 0]
  return () => {
    const now = performance.now()
    if (now - began >= windowMs) [began, spent] = [now, 0]
    spent += 1
    return spent <= most
  }
}

/** A version that cannot be asked for is treated like one that does not answer. */
function askVersion(versions: () => string | Promise<string>): string | Promise<string> {
  try {
    return versions()
  } catch (error) {
    return Promise.reject(error)
  }
}

function contactOf(destination: Extract<Destination, { kind: 'page' }>): ContactOutcome | undefined {
  return destination.contactSent ? { status: 'sent' } : undefined
}

function redirectTo(location: string, common: Record<string, string>): PageAnswer {
  return {
    // Whatever category is unknown today may be there tomorrow.
    status: location === '/' ? 302 : 301,
    headers: { ...common, location, 'cache-control': 'no-cache', 'content-length': '0' },
    body: Buffer.alloc(0),
  }
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () => {
    loading ??= load().catch((error: unknown) => {
      // Not remembered: a build that was just being replaced is there the next time.
      loading = null
      throw error
    })
    return loading
  }
}
