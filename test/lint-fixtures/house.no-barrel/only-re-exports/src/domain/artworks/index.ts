export { decide } from './decide.ts'
export type { State } from './state.ts'
