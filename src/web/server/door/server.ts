import type { Server } from 'node:http'
import { createServer } from '#application/kernel/node-http.ts'
import type { Listener } from './ports.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { letGoOfSlow } from './slow-clients.ts'
import { answerUnheard, onlyClear } from './unheard.ts'

/** A server of HTTP, not yet listening, that has `listener` hear one clear request of each connection at a time. */
export const serverOf = (listener: Listener, publicUrl: string): Server => {
  // What Node refuses by itself for want of a host is counted by nobody: all that was sent ahead would be answered.
  const server = createServer({ requireHostHeader: false }, oneAtATime(onlyClear(listener, publicUrl)))
  answerUnheard(server, publicUrl)
  letGoOfSlow(server)
  // Behind a proxy that keeps connections open longer than we do, requests would meet a closed one.
  server.keepAliveTimeout = 65_000
  return server
}
