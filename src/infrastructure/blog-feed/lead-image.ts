import { walkHtml } from '../html/walk.ts'
import { webAddress } from '../html/web-address.ts'

const GOOGLE = /(^|\.)(bp\.blogspot\.com|googleusercontent\.com|ggpht\.com)$/
/** Larger ones are only made smaller again; `s0`, the original, can be enormous. */
const LARGE = 's1600'

/**
 * The same image in a large size. Blogger's image servers name the size in the address, as a folder
 * (`/s72-c/`, `/w320-h240/`) or at its end (`=s72-c`); other addresses come back as they are.
 */
export function inLargeSize(address: string): string {
  const url = URL.parse(address)
  if (url === null || !GOOGLE.test(url.hostname)) return address
  url.pathname = /=[swh]\d+[^/]*$/.test(url.pathname)
    ? url.pathname.replace(/=[swh]\d+[^/]*$/, `=${LARGE}`)
    : url.pathname.replace(/\/(?:s\d+|[wh]\d+)(?:-[\w-]+)?\/(?=[^/]*$)/, `/${LARGE}/`)
  return url.href
}

const isTiny = (size: string | undefined): boolean => size !== undefined && Number.parseInt(size, 10) <= 2

/** The first image of a post, by its absolute address; counting pixels of one or two are not images. */
export function firstImage(html: string, base: string | null): string | null {
  let found: string | null = null
  walkHtml(html, {
    onopentag: (name, { src, width, height }) => {
      if (name === 'img' && found === null && !isTiny(width) && !isTiny(height))
        found = webAddress(src, base ?? undefined)
    },
  })
  return found
}

/** The lead image of a post: what the feed names, else the first one in its content; in a large size. */
export function leadImage(named: string | null, contentHtml: string, url: string | null): string | null {
  const image = named ?? firstImage(contentHtml, url)
  // A larger size may be a longer address.
  return image === null ? null : webAddress(inLargeSize(image))
}
