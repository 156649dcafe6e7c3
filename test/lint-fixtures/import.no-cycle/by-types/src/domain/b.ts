import type { A } from './a.ts'

export type B = { readonly a: A | null }
