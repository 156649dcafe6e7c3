import type { ServerResponse } from 'node:http'
import { ReaderLeft } from './errors.ts'

/** One for all: what it was made on would stay in memory with it. */
const left = new ReaderLeft()

/**
 * Waits no longer than whoever the answer is for. What is waited for goes on: it is shared, or ends by itself soon. What it holds
 * of the request stays in memory until then.
 * @throws {ReaderLeft}, and what `work` throws
 */
export const untilLeft = <T>(response: ServerResponse, work: Promise<T>): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const leave = (): void => reject(left)
  if (response.closed) leave()
  else response.once('close', leave)
  work.then(resolve, reject)
  return promise.finally(() => response.off('close', leave))
}
