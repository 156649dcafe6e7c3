import { Thing } from './thing.ts'

export const of = (thing: Thing): number => thing.n
