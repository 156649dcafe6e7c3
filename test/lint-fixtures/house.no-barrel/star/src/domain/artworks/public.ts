export const own = 1
export * from './events.ts'
