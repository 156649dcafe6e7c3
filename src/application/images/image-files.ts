import type { ImageFormat } from '#domain/images/events.ts'

/** Where an image's files are kept. The original has no public address. */
export const originalKey = (hash: string): string => `originals/${hash}`
export const imagePrefix = (hash: string): string => `images/${hash}/`
export const variantKey = (hash: string, width: number, format: ImageFormat): string =>
  `${imagePrefix(hash)}${width}.${format}`
/** The first displayable image, shown until the variants are there. */
export const firstKey = (hash: string): string => `${imagePrefix(hash)}first.jpg`
export const cardKey = (cardHash: string): string => `cards/${cardHash}.jpg`

/** Where files lie that nothing seems to need, before they go for good. The date (ISO) says since when. */
export const asidePrefix = 'aside/'
export const asideKey = (key: string, date: string): string => `${asidePrefix}${date}/${key}`
/** The date and the former key of a file that was put aside; null for any other. */
export const putAside = (key: string): { readonly date: string; readonly key: string } | null => {
  const [, date, former] = /^aside\/(\d{4}-\d{2}-\d{2})\/(.+)$/.exec(key) ?? []
  return date === undefined || former === undefined ? null : { date, key: former }
}
