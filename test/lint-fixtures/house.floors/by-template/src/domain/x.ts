export const load = (): Promise<unknown> => import(`#application/thing.ts`)
