import type { Application } from '#application/app.ts'
import type { Documents } from '#application/ports/documents.ts'
import type { HtmlSanitiser } from '#application/ports/html.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import { listPublicArtworks } from '#projections/artworks/queries.ts'
import { imagesProjection } from '#projections/images/images-view.ts'
import { blogPostsProjection } from '#projections/journal/blog-posts-view.ts'
import { listVisiblePosts } from '#projections/journal/queries.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import { siteContentProjection } from '#projections/site-content/site-content-view.ts'
import { listActive } from '#projections/taxonomy/queries.ts'
import { categoriesProjection, mediumsProjection } from '#projections/taxonomy/taxonomy-view.ts'
import type { WebLog, WebSettings } from './deps.ts'
import { commonHeaders } from './exchange.ts'
import { encodingFor } from './pages/encoding.ts'
import { keepRendered, type KeptPage, type PageAnswer } from './pages/kept-page.ts'
import { sharedWork } from './shared-work.ts'

/** The lists that anyone may read, by the path of their call. */
export type PublicList =
  | '/api/artworks'
  | '/api/categories'
  | '/api/mediums'
  | '/api/site-content'
  | '/api/blog-posts'

/** What a reader says about the bytes it can take. */
export interface Asked {
  readonly acceptEncoding?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

/** The answers of the public lists as ready bytes, kept until an event changes what they show. */
export interface PublicLists {
  /** @param category of works; null: all of them. Synchronous when the answer is ready. */
  readonly answer: (
    list: PublicList,
    category: string | null,
    asked: Asked,
  ) => PageAnswer | Promise<PageAnswer>
}

/** ms after which an older answer is better than none (decisions 94) */
const patienceMs = 1_000
const staleWarning = '110 - "Response is Stale"'

interface ListsDeps {
  readonly documents: Documents
  readonly html: Pick<HtmlSanitiser, 'siteText'>
  readonly readModels: Application['readModels']
  readonly settings: Pick<WebSettings, 'publicUrl' | 'blogUrl'>
  readonly log: WebLog
}

interface Source {
  readonly views: readonly string[]
  readonly read: (deps: ListsDeps, category: string | null) => Promise<unknown>
}

const sources: Readonly<Record<PublicList, Source>> = {
  '/api/artworks': {
    views: [artworksProjection.view.name, imagesProjection.view.name],
    read: ({ documents }, category) => listPublicArtworks(documents, category),
  },
  '/api/categories': {
    views: [categoriesProjection.view.name],
    read: ({ documents }) => listActive(documents, 'categories'),
  },
  '/api/mediums': {
    views: [mediumsProjection.view.name],
    read: ({ documents }) => listActive(documents, 'mediums'),
  },
  '/api/site-content': {
    views: [siteContentProjection.view.name],
    read: ({ documents, html, settings }) => getSiteContent(documents, html, settings),
  },
  '/api/blog-posts': {
    views: [blogPostsProjection.view.name],
    read: ({ documents }) => listVisiblePosts(documents),
  },
}

/** Whether a path is that of a public list. */
export const isPublicList = (path: string): path is PublicList => Object.hasOwn(sources, path)

/** Keeps the public lists' answers of one process. */
export const createPublicLists = (deps: ListsDeps): PublicLists => {
  const { readModels, settings, log } = deps
  const common = { ...commonHeaders(settings.publicUrl) }
  const kept = new Map<string, KeptPage>()
  const once = sharedWork<KeptPage>()

  const make = async (
    list: PublicList,
    category: string | null,
    key: string,
    version: string,
  ): Promise<KeptPage> => {
    const value = await sources[list].read(deps, category)
    const page = keepRendered(
      {
        status: 200,
        contentType: 'application/json; charset=utf-8',
        policy: '',
        body: Buffer.from(JSON.stringify(value)),
      },
      version,
      common,
    )
    // Names of categories that no work has are made up by whoever asks: they must not fill the memory.
    const isKnown = category === null || (Array.isArray(value) && value.length > 0)
    if (isKnown) kept.set(key, page)
    else kept.delete(key)
    return page
  }

  /** Made once for all who ask at the same time. */
  const pageAt = (
    list: PublicList,
    category: string | null,
    key: string,
    version: string,
  ): Promise<KeptPage> => {
    const page = kept.get(key)
    if (page?.version === version) return Promise.resolve(page)
    return once(`${version}\n${key}`, () => make(list, category, key, version))
  }

  const answerWith = async (page: KeptPage, asked: Asked): Promise<PageAnswer> => {
    const encoding = encodingFor(asked.acceptEncoding)
    for (;;) {
      const ready = page.answer(encoding, false, asked.ifNoneMatch)
      if (ready) return ready
      await page.prepare(encoding, false)
    }
  }

  /**
   * The older answer, marked as such, when the engines fail or are silent (decisions 94). Compressing what they said
   * may take its time: a change must be in the very next answer.
   */
  const orOlder = async (fresh: Promise<KeptPage>, older: KeptPage, asked: Asked): Promise<PageAnswer> => {
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(late.resolve, patienceMs, null)
    const newest = await Promise.race([
      fresh.catch((error: unknown) => {
        log.warn({ err: error }, 'An older list is answered, because the newest cannot be read')
        return null
      }),
      late.promise,
    ])
    clearTimeout(timer)
    if (newest) return answerWith(newest, asked)
    const { status, headers, body } = await answerWith(older, asked)
    return { status, headers: { ...headers, warning: staleWarning }, body }
  }

  return {
    answer: (list, category, asked) => {
      const key = category === null ? list : `${list}\n${category}`
      const version = readModels.version(sources[list].views)
      const page = kept.get(key)
      if (page !== undefined && page.version === version) {
        return (
          page.answer(encodingFor(asked.acceptEncoding), false, asked.ifNoneMatch) ?? answerWith(page, asked)
        )
      }
      const fresh = Promise.resolve(version).then((current) => pageAt(list, category, key, current))
      return page === undefined ? fresh.then((made) => answerWith(made, asked)) : orOlder(fresh, page, asked)
    },
  }
}
