export const own = 1
export { execute } from '#application/kernel/execute.ts'
