export const own = 1
export { execute } from '#application/execute.ts'
