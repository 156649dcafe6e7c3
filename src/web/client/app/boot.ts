import type { QueryClient } from '@tanstack/react-query'
import type { ContactOutcome, PageData } from '#web/contract/pages.ts'
import type { PageLists } from '../lib/page-data.ts'
import { pageQuery } from '../lib/page-queries.ts'
import { createQueryClient } from '../lib/query-client.ts'

/** Id of the data block from which the browser takes over. */
export const BOOT_ELEMENT = 'page-data'

/** What the page is rendered from. */
export type SiteBoot = {
  kind: 'site'
  /** the site's address is https: the world reads it */
  isPublic: boolean
  /** what is shown; nothing for `/admin`, which needs none of it */
  lists: Partial<PageLists>
  images: PageData['images']
  /** how the form fared that was posted without a script; null on every other page */
  contact: ContactOutcome | null
  /** addresses of the sheets of what stands below the first view, where the document links them */
  below: readonly string[]
}

/** What travels inside the page. `amount`: how much was sent in it (`amountIn`). */
export type Boot = { kind: 'not-found'; artistName: string } | (SiteBoot & { amount: number })

/** Reads the block back. Throws when the page carries none: then this script does not belong to it. */
export function readBoot(page: Document): Boot {
  const text = page.getElementById(BOOT_ELEMENT)?.textContent
  if (!text) throw new Error(`The page has no #${BOOT_ELEMENT}`)
  // Written by `bootOf` of the same build, whose hash stands in this script's address.
  return JSON.parse(text) as Boot
}

/** How much stands in the page: its elements and the characters of its text, without blanks. */
export const amountOf = (page: Element): number =>
  page.querySelectorAll('*').length + page.textContent.replace(/\s/g, '').length

/** The moment that the cache takes the lists to be from: always the same. Not 0, which it takes for never. */
const MADE_AT = 1

/** A cache with the lists that a page carries. */
export function cacheOf(lists: Partial<PageLists>): QueryClient {
  const client = createQueryClient()
  for (const [model, list] of Object.entries(lists)) {
    // The names of the lists are its keys.
    const { queryKey } = pageQuery(model as keyof PageLists)
    client.setQueryData<unknown>(queryKey, list, { updatedAt: MADE_AT })
  }
  return client
}
