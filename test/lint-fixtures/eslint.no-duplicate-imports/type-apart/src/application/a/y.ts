import { here } from './x.ts'
import type { Place } from './x.ts'

export const there: Place = { at: here.at + 1 }
