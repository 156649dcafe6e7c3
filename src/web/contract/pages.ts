/**
 * The seam between the server that answers page requests and the screens that render them: plain data in,
 * plain text out, so that neither imports the other. The renderer is a built file of its own, loaded only
 * when a page must really be rendered.
 */
export { messageLimits, subjectWords } from '#domain/messages/message-limits.ts'
import type { Artwork } from './artworks.ts'
import type { BlogPost } from './journal.ts'
import type { SiteContent } from './site-content.ts'
import type { Category } from './taxonomy.ts'

/** The same words for a stored and for a trapped message. */
export const messageThanks = 'Thank you for your message. I will get back to you soon.'

/** So many posts stand on the page; where one more is there, it says that there are others. */
export const postsOnPage = 3

/** What anonymous visitors may see, as the API would answer it. */
export type PageData = {
  siteContent: SiteContent
  /** public ones only, in list order */
  artworks: readonly Artwork[]
  /** active ones only, in order */
  categories: readonly Category[]
  /** visible ones, newest first, without content */
  blogPosts: readonly BlogPost[]
  /** artwork id → hash in the address of its current card; a missing one has no card yet */
  cards: Readonly<Record<string, string>>
  /**
   * Our own images that are no artwork's, the portrait's and the posts': address → size of the upright original in
   * pixels, once its variants exist
   */
  images: Readonly<Record<string, { width: number; height: number }>>
  /** differs whenever any of the above does; opaque */
  version: string
}

/** A page request after routing: no unknown keys, no unknown artworks. */
export type PageRequest =
  | { kind: 'home'; category: string | null }
  | { kind: 'artwork'; id: string }
  | { kind: 'admin' }
  | { kind: 'not-found' }

/** The contact form as it comes back without JavaScript. */
export type ContactOutcome =
  | { status: 'sent' }
  | {
      status: 'refused'
      /** one sentence above the form; the fields' own messages stand beside them */
      message: string
      fields: Record<string, string>
      /** what the visitor had typed, by field name */
      values: Record<string, string>
    }

/** A built style sheet; its text stands in the page, so that the first view needs no second request. */
export type StyleFile = { href: string; text: string }

/** Addresses of the built files that a page names. */
export type PageAssets = {
  /** names the build; part of every cache key */
  build: string
  /** the modules that hydrate the page, each after those it imports */
  scripts: readonly string[]
  styles: readonly StyleFile[]
  /** sheets of what stands below the first view: the homepage links them where it ends, any other page holds them */
  below: readonly StyleFile[]
  /** what the artwork page needs besides: fetched and shown at once there, later everywhere else */
  artwork: { modules: readonly string[]; styles: readonly StyleFile[] }
  /** modules that `/admin` needs besides */
  admin: readonly string[]
  /** the faces whose files are asked for once the first view is painted */
  fonts: StyleFile
  /** text of the one script that stands in every page */
  inline: string
  /** markup that only the dev server puts into the head; makes the policy lenient */
  devHead?: string
}

export type RenderInput = {
  page: PageRequest
  data: PageData
  contact?: ContactOutcome
  /** origin of canonical links, without a slash at its end */
  publicUrl: string
  assets: PageAssets
}

export type RenderOutput = {
  status: 200 | 404 | 422
  html: string
  /** texts of inline <style> elements, exactly as they stand in `html`, for the policy's hashes */
  styles: readonly string[]
  /** texts of inline scripts that run; data blocks are not among them */
  scripts: readonly string[]
}

/** What the pages outside React (feed, manifest) need of the site's texts, fallbacks applied. */
export type SiteNames = { title: string; artist: string; description: string }

/** The exports of the built `entry-server.js`. */
export type PageRenderer = {
  render: (input: RenderInput) => Promise<RenderOutput>
  siteNames: (siteContent: SiteContent) => SiteNames | Promise<SiteNames>
}
