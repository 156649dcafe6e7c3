import type { B } from './b.ts'

export interface A { readonly b: B | null }
