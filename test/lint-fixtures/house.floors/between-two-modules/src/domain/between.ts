export { thing } from './journal/thing.ts'
export const other = 1
