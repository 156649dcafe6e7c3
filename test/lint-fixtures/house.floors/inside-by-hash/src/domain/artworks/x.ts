import { other } from '#domain/artworks/y.ts'

export const used = other
