import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Listener } from './ports.ts'

/**
 * Answers that are made at once for those who have left. Who waits has a connection, whose number has an end; who asks and leaves
 * has none, and what waits for its turn somewhere keeps some ten kilobytes until that has come.
 */
const mostLeftBehind = 5_000

/** Counts the requests whose sender has left and which are still worked on. */
export const countLeftBehind = () => {
  const leftBehind = new Set<ServerResponse>()
  return {
    /** @param handle ends when its answer is on its way */
    count:
      (handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Listener =>
      (request, response) => {
        let isWorkedOn = true
        response.once('close', () => {
          if (isWorkedOn) leftBehind.add(response)
        })
        void handle(request, response).finally(() => {
          isWorkedOn = false
          leftBehind.delete(response)
        })
      },
    areTooMany: (): boolean => leftBehind.size >= mostLeftBehind,
  }
}
