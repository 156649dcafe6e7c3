import { EngineUnheard } from '#application/kernel/ports/event-store.ts'
import { atMost } from '#application/kernel/turns.ts'
import type { ContactOutcome, PageAssets, PageData, PageRenderer } from '#web/contract/pages.ts'
import { type PageAsked, type CachedPage, type PageAnswer, staleAnswerWith } from '../door/cached-page.ts'
import { ReaderLeft, SiteBusy } from '../door/errors.ts'
import { commonHeaders } from '../door/exchange.ts'
import { type Destination, destinationOf, keyGuess } from './address.ts'
import { openReadyPages } from './ready-pages.ts'
import { type Heard, noteOutdated } from '../door/outdated.ts'
import { unlessSilent } from '../door/silence.ts'
import { openRendering, openSnapshots, type Snapshot } from './rendering.ts'
import { siteTexts } from './texts.ts'

/** Settings of the process that pages show, but for its address. */
interface PageSettings {
  /** the default of the site setting `blogUrl`; empty without one */
  readonly blogUrl: string
}

export interface PagesOptions extends Heard {
  /** What anonymous visitors may see at that version. Called only when something must be rendered. */
  readPageData: (version: string, settings: PageSettings) => PageData | Promise<PageData>
  settings: PageSettings
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
  /** ms after which an older answer is better than none where the engines are silent; 1,000 unless a test says otherwise */
  timeoutMs?: number
  /** ms that a page must have stood before its small forms are made; 500 unless a test says otherwise */
  debounceMs?: number
}

export interface Pages {
  /**
   * Answers a request for a page or one of the texts beside it; see `handles`. Synchronous whenever the
   * answer is ready and `versions` answered at once.
   * @param path as in the request, percent-encoded; @param query without question mark
   * @throws whatever reading or rendering threw, when there is no older answer to give
   */
  readonly page: (path: string, query: string, asked: PageAsked) => PageAnswer | Promise<PageAnswer>
  /**
   * The homepage with the refused form in it: 422, kept by nobody.
   * @throws SiteBusy while a few others are being made
   */
  readonly contactRefused: (
    outcome: Extract<ContactOutcome, { status: 'refused' }>,
    asked: PageAsked,
  ) => Promise<PageAnswer>
  /** Reads what pages show, so that what stands in while the engines are silent is of now. */
  readonly readNewest: () => Promise<void>
  /** Resolves when nothing is being recompressed or written. */
  readonly settled: () => Promise<void>
  /** Compresses nothing more; resolves when what is under way is done and the homepage is in the folder. */
  readonly close: () => Promise<void>
}

const answersWithinMs = 1_000
const settlesWithinMs = 500
/**
 * Pages that nobody keeps are made at most so often: their addresses are made up by whoever asks. Past it an unknown
 * category leads to the whole gallery.
 */
const uncachedPages = 30
const uncachedWindowMs = 10_000
/** Of all who wait for a page, so many may wait for their refused form: who sends those has as many addresses as needed. */
const refusedAtOnce = 4

/** A request, and the version of what it is about, as far as it is known. */
interface Wanted {
  path: string
  query: string
  version: string | Promise<string>
  askedAt: number
}

/** Everything that answers `/`, `/artwork/…`, `/admin` and the texts beside them, without a framework. */
export const createPages = (options: PagesOptions): Pages => {
  const { versions, assets, publicUrl, settings, onError } = options
  const { heardAt = () => -Infinity, timeoutMs = answersWithinMs } = options
  const { noteFresh, isNewest, unlessOutdated } = noteOutdated(options)
  const common = { ...commonHeaders(publicUrl) }
  const snapshots = openSnapshots((version) => options.readPageData(version, settings))
  const render = openRendering(options)
  const pages = openReadyPages({
    common,
    made: { build: assets.build, settings: JSON.stringify({ publicUrl, ...settings }) },
    dev: assets.devHead !== undefined,
    folder: options.folder,
    debounceMs: options.debounceMs ?? settlesWithinMs,
    onError,
  })
  const mayRender = budget(uncachedPages, uncachedWindowMs)
  /** each refused form is a page of its own */
  let refused = 0
  const refusedForm = atMost(refusedAtOnce, { most: 0, full: () => new SiteBusy() })

  /** The page at an address, of a site that is as the snapshot says. */
  const pageOf = async (
    { path, query }: Pick<Wanted, 'path' | 'query'>,
    asked: PageAsked,
    { version, data, places, nth }: Snapshot,
  ): Promise<CachedPage | { redirect: string }> => {
    if (Object.hasOwn(siteTexts, path))
      return pages.keep(path, asked, { version, nth, make: () => render.text(path, data) })
    const destination = destinationOf(path, query, places)
    if (destination.kind === 'redirect') return { redirect: destination.location }
    const make = () => render.page(destination.page, data, contactOf(destination))
    if (destination.key !== null) return pages.keep(destination.key, asked, { version, nth, make })
    if (!mayRender()) return { redirect: '/' }
    return pages.makeOnce(`${version} not kept ${query}`, version, asked, make)
  }

  /** What the engines have to say for a request, each answer by way of `heard` (see `answerFresh`). */
  const freshPage = async (
    wanted: Wanted,
    asked: PageAsked,
    heard: <T>(answer: T | Promise<T>) => Promise<T>,
  ): Promise<CachedPage | { redirect: string }> => {
    const { path, query } = wanted
    const key = keyGuess(path, query)
    const version = await heard(wanted.version)
    const kept = pages.get(key)
    if (kept?.version === version) return kept
    const stored = await pages.fromDisk(key, version)
    if (stored) return stored
    return pageOf(wanted, asked, await heard(snapshots.at(version, wanted.askedAt)))
  }

  /** What stands in for a page: it as it is kept, or what was read behind a change that it does not show. */
  const standIn = (kept: CachedPage, newest: Snapshot | undefined): CachedPage | Snapshot | undefined =>
    newest && isNewest(newest) && !isNewest(kept) ? newest : (unlessOutdated(kept) ?? unlessOutdated(newest))

  /**
   * The fresh answer; with an older page at hand, that one when the engines are silent for too long or
   * something fails, or where that one is outdated the page of what was read last. Rendering may take its time: a change must
   * be on the very next request.
   */
  const answerFresh = async (
    wanted: Wanted,
    asked: PageAsked,
    kept: CachedPage | undefined,
  ): Promise<PageAnswer> => {
    const { askedAt } = wanted
    const older = kept && standIn(kept, snapshots.newest())
    const heard = async <T>(answer: T | Promise<T>): Promise<T> =>
      older ? unlessSilent(answer, timeoutMs, heardAt) : answer
    try {
      const page = await freshPage(wanted, asked, heard)
      if ('redirect' in page) return redirectTo(page.redirect, common)
      noteFresh(page, askedAt)
      const newest = snapshots.newest()
      if (newest?.version === page.version) noteFresh(newest, askedAt)
      return await pages.answer(page, asked)
    } catch (error) {
      // The engines answer there, and what the older page shows may be hidden or sold: strangers can keep lane and engine full.
      const isBusy = error instanceof SiteBusy || error instanceof EngineUnheard
      if (!older || isBusy || error instanceof ReaderLeft) throw error
      onError(error)
      const page = 'data' in older ? await pageOf(wanted, asked, older) : older
      return 'redirect' in page ? redirectTo(page.redirect, common) : await staleAnswerWith(page, asked)
    }
  }

  return {
    page: (path, query, asked) => {
      const key = keyGuess(path, query)
      const askedAt = performance.now()
      const version = askVersion(versions)
      const kept = pages.get(key)
      if (!kept || kept.version !== version)
        return answerFresh({ path, query, version, askedAt }, asked, kept)
      noteFresh(kept, askedAt)
      pages.compress(key, kept)
      return kept.answer(asked) ?? pages.answer(kept, asked)
    },
    contactRefused: (outcome, asked) =>
      refusedForm(async () => {
        const askedAt = performance.now()
        const version = await versions()
        const { data } = await snapshots.at(version, askedAt)
        refused += 1
        const page = await pages.makeOnce(`refused form ${refused}`, version, asked, () =>
          render.page({ kind: 'home', category: null }, data, outcome),
        )
        const answer = await pages.answer(page, asked)
        const { etag: _etag, ...headers } = answer.headers
        return { ...answer, headers: { ...headers, 'cache-control': 'private, no-store' } }
      }),
    readNewest: async () => {
      const askedAt = performance.now()
      noteFresh(await snapshots.at(await versions(), askedAt), askedAt)
    },
    settled: pages.settled,
    close: pages.close,
  }
}

/** Says yes so many times in each stretch of time. */
const budget = (most: number, windowMs: number): (() => boolean) => {
  let [began, spent] = [0, 0]
  return () => {
    const now = performance.now()
    if (now - began >= windowMs) [began, spent] = [now, 0]
    spent += 1
    return spent <= most
  }
}

/** A version that cannot be asked for is treated like one that does not answer. */
const askVersion = (versions: () => string | Promise<string>): string | Promise<string> => {
  try {
    return versions()
  } catch (error) {
    return Promise.reject(error)
  }
}

const contactOf = ({ contactSent }: Extract<Destination, { kind: 'page' }>): ContactOutcome | undefined =>
  contactSent ? { status: 'sent' } : undefined

const redirectTo = (location: string, common: Record<string, string>): PageAnswer => ({
  // Whatever category is unknown today may be there tomorrow.
  status: location === '/' ? 302 : 301,
  headers: { ...common, location, 'cache-control': 'no-cache', 'content-length': '0' },
  body: Buffer.alloc(0),
})
