import type { Leases } from '../kernel/ports/leases.ts'

/** Longer than any of them takes; who waits so long has an engine that does not answer. */
const timeoutMs = 60_000

/**
 * One at a time, also across processes: who adds files to an image that has some already, and who removes
 * files. So nothing is removed that somebody is just about to name in the log.
 * @throws `TimeoutError` when its turn does not come within a minute
 */
export const inFileTurn = async <T>(leases: Leases, task: () => Promise<T>): Promise<T> => {
  const lease = await leases.acquire('picture-files', AbortSignal.timeout(timeoutMs))
  try {
    return await task()
  } finally {
    await lease.release()
  }
}
