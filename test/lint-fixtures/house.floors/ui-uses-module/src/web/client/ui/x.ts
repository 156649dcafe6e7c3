import type { Thing } from '../artworks/thing.ts'
export type X = Thing
