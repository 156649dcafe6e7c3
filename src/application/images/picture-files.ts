import type { PictureFormat } from '#domain/images/events.ts'

/** Where a picture's files are kept. The original has no public address (decisions 13). */
export const originalKey = (hash: string): string => `originals/${hash}`
export const imagePrefix = (hash: string): string => `images/${hash}/`
export const variantKey = (hash: string, width: number, format: PictureFormat): string =>
  `${imagePrefix(hash)}${width}.${format}`
/** The first displayable picture, shown until the variants are there (decisions 68). */
export const firstKey = (hash: string): string => `${imagePrefix(hash)}first.jpg`
export const cardKey = (cardHash: string): string => `cards/${cardHash}.jpg`

/** The address of a picture as the API gives and takes it: the largest public JPEG (interface: pictures). */
export const imageUrlOf = (hash: string): string => `/images/${hash}/original-view.jpg`

/** The hash in an address that {@link imageUrlOf} made; null for any other address. */
export const hashOfImageUrl = (imageUrl: string): string | null =>
  /^\/images\/([0-9a-f]{64})\/original-view\.jpg$/.exec(imageUrl)?.[1] ?? null
