import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that a system gives away by itself (from 32,768 on Linux; RFC 6335 has them from 49,152): what was
 * free a moment ago must not go to another server, or to somebody's connection, before it is used or used again.
 */
const ours = [12_000, 28_000] as const

/** Never given twice: a door that is shut for a while comes back on its own, a server that was killed on another. */
const given = new Set<number>()

/** @returns a port of the loopback address on which nobody listens, and that nobody is given unless they ask for it */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(...ours)
    if (given.has(port)) continue
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    given.add(port)
    server.close()
    await once(server, 'close')
    return port
  }
}
