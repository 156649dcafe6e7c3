import type { Clock } from '#application/kernel/ports/clock.ts'
import { EngineUnheard } from '#application/kernel/ports/event-store.ts'
import { shareReadings } from '#application/kernel/sharing.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import { listPublicArtworks } from '#projections/artworks/queries.ts'
import { imagesProjection } from '#projections/images/images-view.ts'
import { blogPostsProjection } from '#projections/journal/blog-posts-view.ts'
import { listVisiblePosts } from '#projections/journal/queries.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import { siteContentProjection } from '#projections/site-content/site-content-view.ts'
import { listActive } from '#projections/taxonomy/queries.ts'
import { categoriesProjection, mediumsProjection } from '#projections/taxonomy/taxonomy-view.ts'
import type { Calls } from '#web/contract/calls.ts'
import { postsOnPage } from '#web/contract/pages.ts'
import type { Read } from './call/route.ts'
import type { FrontDeps } from './deps.ts'
import type { WebSettings } from './door/ports.ts'
import { commonHeaders } from './door/exchange.ts'
import {
  answerWith,
  type PageAsked,
  type CachedPage,
  cacheRendered,
  type PageAnswer,
  staleAnswerWith,
} from './door/cached-page.ts'
import { jsonType } from './door/headers.ts'
import { type Heard, noteOutdated } from './door/outdated.ts'
import { unlessSilent } from './door/silence.ts'

type ListName = 'listArtworks' | 'listCategories' | 'listMediums' | 'getSiteContent' | 'listBlogPosts'

/** The posts that the page shows, and one more where there is one. */
export const newestPosts = '/api/blog-posts?part=page'

/** The lists that anyone may read, by the path of their call and what stands behind it. */
export type PublicList = Calls[ListName]['path'] | typeof newestPosts

/** The answers of the public lists as ready bytes, kept until an event changes what they show. */
export interface PublicLists {
  /** @param category of artworks; null: all of them. Synchronous when the answer is ready. */
  readonly answer: (
    list: PublicList,
    category: string | null,
    asked: PageAsked,
  ) => PageAnswer | Promise<PageAnswer>
}

interface KeptLists extends PublicLists {
  /** Reads the lists that were asked for, each whole, so that what stands in while the engines are silent is of now. */
  readonly readNewest: () => Promise<void>
}

/** ms after which an older answer is better than none where the engines are silent */
const timeoutMs = 1_000

type ListsDeps = Heard &
  Pick<FrontDeps, 'documents' | 'html' | 'readModels' | 'log'> & {
    readonly clock: Pick<Clock, 'now'>
    readonly settings: Pick<WebSettings, 'publicUrl' | 'blogUrl'>
  }

interface Source<N extends ListName> {
  readonly views: readonly string[]
  readonly read: (deps: ListsDeps, category: string | null) => Promise<Read<N>>
}

const artworks: PublicList = '/api/artworks'
/** What stands for every category that no artwork has: no name is empty. */
const nobodysCategory = ''
const keyOf = (list: PublicList, category: string | null): string =>
  category === null ? list : `${list}\n${category}`

/** The categories of the artworks in a list. */
const categoriesIn = (list: readonly object[]): ReadonlySet<unknown> =>
  new Set(list.map((each) => ('category' in each ? each.category : undefined)))

const sources: { readonly [N in ListName as Calls[N]['path']]: Source<N> } & {
  readonly [newestPosts]: Source<'listBlogPosts'>
} = {
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
    read: ({ documents, clock }) => listVisiblePosts(documents, clock.now()),
  },
  [newestPosts]: {
    views: [blogPostsProjection.view.name],
    read: ({ documents, clock }) => listVisiblePosts(documents, clock.now(), postsOnPage + 1),
  },
}

/** A value as JSON. A long list is made one after the other: as one text it would be in memory several times as long. */
const jsonOf = (value: object): Buffer => {
  if (!Array.isArray(value)) return Buffer.from(JSON.stringify(value))
  const parts = value.map((each, n) => Buffer.from((n === 0 ? '' : ',') + JSON.stringify(each)))
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')])
}

/** Whether what is asked for, the query included, is a public list. */
export const isPublicList = (target: string): target is PublicList => Object.hasOwn(sources, target)

/** Keeps the public lists' answers of one process. */
export const createPublicLists = (deps: ListsDeps): KeptLists => {
  const { readModels, settings, log, heardAt = () => -Infinity } = deps
  const common = { ...commonHeaders(settings.publicUrl) }
  const kept = new Map<string, CachedPage>()
  /** by the list of all artworks */
  const categoriesOf = new WeakMap<CachedPage, ReadonlySet<unknown>>()
  const readings = new Map<string, () => Promise<CachedPage>>()
  const { noteFresh, unlessOutdated } = noteOutdated(deps)

  const pageOf = (value: object, version: string): CachedPage =>
    cacheRendered({ status: 200, contentType: jsonType, policy: '', body: jsonOf(value) }, version, common)

  const make = async (list: PublicList, category: string | null, version: string): Promise<CachedPage> => {
    const value = category === nobodysCategory ? [] : await sources[list].read(deps, category)
    const page = pageOf(value, version)
    if (Array.isArray(value) && list === artworks && category === null)
      categoriesOf.set(page, categoriesIn(value))
    kept.set(keyOf(list, category), page)
    return page
  }

  /**
   * The name under which a category's artworks are kept. Names that no artwork has are made up by whoever asks: they must
   * neither fill the memory nor be looked up one by one.
   */
  const knownCategory = async (category: string, version: string): Promise<string> => {
    const all = await pageAt(artworks, null, version)
    if (categoriesOf.get(all)?.has(category) === true) return category
    kept.delete(keyOf(artworks, category))
    return nobodysCategory
  }

  /**
   * One making of a list after the other, shared by all who ask meanwhile: a long list that changes all the while, as under a
   * sync, is not in memory for each of them.
   */
  const newest = (list: PublicList, category: string | null): Promise<CachedPage> => {
    const key = keyOf(list, category)
    const read = async (): Promise<CachedPage> => {
      const version = await readModels.version(sources[list].views)
      const current = kept.get(key)
      return current?.version === version ? current : make(list, category, version)
    }
    const shared = readings.get(key) ?? shareReadings(read)
    readings.set(key, shared)
    return shared()
  }

  const pageAt = async (list: PublicList, asked: string | null, version: string): Promise<CachedPage> => {
    const current = kept.get(keyOf(list, asked))
    if (current?.version === version) return current
    const isOpen = asked !== null && asked !== nobodysCategory
    const category = isOpen ? await knownCategory(asked, version) : asked
    if (category !== asked) return pageAt(list, category, version)
    return newest(list, category)
  }

  /**
   * The older answer, marked as such, when the engines fail or are silent. Compressing what they said
   * may take its time: a change must be in the very next answer.
   */
  const orOlder = async (
    fresh: Promise<CachedPage>,
    older: CachedPage,
    asked: PageAsked,
  ): Promise<PageAnswer> => {
    const newest = await unlessSilent(fresh, timeoutMs, heardAt).catch((error: unknown) => {
      // What the older one shows may be hidden or sold by now, and strangers can keep an engine busy.
      if (error instanceof EngineUnheard) throw error
      log.warn({ err: error }, 'An older list is answered, because the newest cannot be read')
      return null
    })
    return newest ? answerWith(newest, asked) : staleAnswerWith(older, asked)
  }

  const freshPage = async (
    list: PublicList,
    category: string | null,
    version: string | Promise<string>,
    askedAt: number,
  ): Promise<CachedPage> => {
    const made = await pageAt(list, category, await version)
    noteFresh(made, askedAt)
    return made
  }

  return {
    readNewest: async () => {
      for (const list of Object.keys(sources).filter(isPublicList)) {
        if (kept.has(keyOf(list, null)))
          await freshPage(list, null, readModels.version(sources[list].views), performance.now())
      }
    },
    answer: (list, category, asked) => {
      const askedAt = performance.now()
      const version = readModels.version(sources[list].views)
      const page = kept.get(keyOf(list, category))
      if (page !== undefined && page.version === version) {
        noteFresh(page, askedAt)
        return page.answer(asked) ?? answerWith(page, asked)
      }
      const fresh = freshPage(list, category, version, askedAt)
      const older = unlessOutdated(page)
      return older === undefined
        ? fresh.then((made) => answerWith(made, asked))
        : orOlder(fresh, older, asked)
    },
  }
}
