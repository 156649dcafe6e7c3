/** The address of an image of our own, as the API gives and takes it: the largest public JPEG. */
export const imageUrlOf = (hash: string): string => `/images/${hash}/original-view.jpg`

/** The hash in such an address; null for any other. */
export const imageHashIn = (address: string): string | null =>
  /^\/images\/([0-9a-f]{64})\/original-view\.jpg$/.exec(address)?.[1] ?? null

/** Whether an address is one of our own images. */
export const isOwnImage = (address: string): boolean => imageHashIn(address) !== null
