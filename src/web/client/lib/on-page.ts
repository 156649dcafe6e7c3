import type { Artwork } from '#web/contract/artworks.ts'
import type { BlogPost } from '#web/contract/journal.ts'
import { postsOnPage } from '#web/contract/pages.ts'
import type { SiteContent } from '#web/contract/site-content.ts'
import { shorten } from './shorten.ts'

/**
 * What no screen of the page shows of what the API answers: it stands in no document and in no list of the page. A text of
 * the owner's alone or a date more would make each page longer, and new for no visible reason.
 */
const LEFT_OUT = {
  artwork: [
    'isVisible',
    'isAvailable',
    'sortOrder',
    'version',
    'sample',
    'imageSource',
    'createdAt',
    'updatedAt',
  ],
  content: ['id', 'upiId', 'upiPayeeName', 'upiKind', 'version', 'updatedAt'],
  post: [
    'content',
    'isExternal',
    'isVisible',
    'overrides',
    'version',
    'publishedAt',
    'createdAt',
    'updatedAt',
  ],
} as const satisfies {
  artwork: readonly (keyof Artwork)[]
  content: readonly (keyof SiteContent)[]
  post: readonly (keyof BlogPost)[]
}
type LeftOut = typeof LEFT_OUT

/** Size and state of an image; its colour and placeholder stand in the page's styles (`artwork-styles.ts`). */
type PageImage = Omit<NonNullable<Artwork['image']>, 'color' | 'placeholder'>

/** An artwork as the public page shows it; null stands for a description that is still to be fetched. */
export type PageArtwork = Omit<Artwork, LeftOut['artwork'][number] | 'description' | 'image'> & {
  description: string | null
  image: PageImage | null
}
/** The site's texts as the public page shows them. */
export type PageContent = Omit<SiteContent, LeftOut['content'][number]>
/** A post as the public page shows it: with the day that stands on it, and as much of its excerpt as there is room for. */
export type PagePost = Omit<BlogPost, LeftOut['post'][number]> & { date: string }
/** The newest posts, and whether there are more. */
export type PageJournal = { posts: readonly PagePost[]; hasMore: boolean }

/**
 * What visitors see of an artwork.
 * @param described whether its description comes with it
 */
export function pageArtwork(artwork: Artwork, described: boolean): PageArtwork {
  const { description, image, ...rest } = without(artwork, LEFT_OUT.artwork)
  return {
    ...rest,
    description: described ? description : null,
    image: image && { width: image.width, height: image.height, ready: image.ready },
  }
}

/** What visitors see of the site's texts. */
export const pageContent = (content: SiteContent): PageContent => without(content, LEFT_OUT.content)

/** So many characters of an excerpt fit beside a lead's image, and beside another's. */
const EXCERPT = { lead: 240, other: 130 } as const

/** What visitors see of the posts, which come newest first. */
export const pageJournal = (posts: readonly BlogPost[]): PageJournal => ({
  posts: posts.slice(0, postsOnPage).map((post, index) => ({
    ...without(post, LEFT_OUT.post),
    excerpt: shorten(post.excerpt, index === 0 ? EXCERPT.lead : EXCERPT.other),
    date: post.publishedAt ?? post.createdAt,
  })),
  hasMore: posts.length > postsOnPage,
})

function without<Whole extends object, Key extends keyof Whole>(
  whole: Whole,
  keys: readonly Key[],
): Omit<Whole, Key> {
  const leftOut: ReadonlySet<unknown> = new Set(keys)
  // The rest, as it is made here.
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !leftOut.has(key))) as Omit<Whole, Key>
}
