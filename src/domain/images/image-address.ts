const imagesPath = '/images/'

/** The address of an image's variant. @param extension with the width as a file is named */
export const variantUrlOf = (hash: string, width: number | undefined, extension: string): string =>
  `${imagesPath}${hash}/${width}.${extension}`

/** The address of a share image. */
export const cardUrlOf = (hash: string): string => `${imagesPath}${hash}/card.jpg`

/** The address of an image of our own, as the API gives and takes it: the largest public JPEG. */
export const imageUrlOf = (hash: string): string => `${imagesPath}${hash}/original-view.jpg`

/** The hash in such an address; null for any other. */
export const imageHashIn = (address: string): string | null =>
  /^\/images\/([0-9a-f]{64})\/original-view\.jpg$/.exec(address)?.[1] ?? null

/** Whether an address is one of our own images. */
export const isOwnImage = (address: string): boolean => imageHashIn(address) !== null
