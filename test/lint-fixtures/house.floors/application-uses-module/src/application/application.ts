import type { Images } from './images/images.ts'
export type X = Images
