export const load = (): Promise<unknown> => import('#application/execute.ts')
