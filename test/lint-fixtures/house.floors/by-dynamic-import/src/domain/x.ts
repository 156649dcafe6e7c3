export const load = (): Promise<unknown> => import('#application/kernel/execute.ts')
