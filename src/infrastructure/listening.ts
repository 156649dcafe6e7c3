import { once } from 'node:events'
import type { Server } from 'node:net'

/**
 * Has a server listen, from then on whatever happens: where a connection cannot be taken in, as there is no file handle left
 * for it, the system tells of that as of a failure of the server, which would end the process.
 * @throws why it cannot listen
 */
export const listening = async (server: Server, listen: () => void): Promise<void> => {
  const heard = once(server, 'listening')
  listen()
  await heard
  server.on('error', () => undefined)
}
