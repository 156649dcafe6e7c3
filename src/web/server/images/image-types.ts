/** The formats of variants, by the ends of their addresses. */
export type ImageExtension = 'avif' | 'webp' | 'jpg'
