import { ApiError } from '../../lib/api.ts'

/** No answer, or one of a server that cannot do its work just now: later it may. */
export const isPassing = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiError && error.status >= 500)

const PAUSES_MS = [250, 500, 1_000, 2_000, 5_000]
const LONGEST_MS = 10_000

/** How long to wait before trying again, in ms, after so many tries before the last one. */
export const pauseAfter = (tries: number): number => PAUSES_MS[tries] ?? LONGEST_MS
