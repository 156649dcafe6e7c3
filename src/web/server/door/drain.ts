import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pause } from '#application/kernel/retry.ts'
import type { Listener } from './ports.ts'
import { commonHeaders, openPath, sendText } from './exchange.ts'
import { noStore } from './health.ts'

/** Turns in which a connection may still come before the door is shut all the same. */
const mostTurns = 1_000

/** Lets a process that is to end go on taking what a proxy still sends it. */
export const createDrain = (listener: Listener, publicUrl: string) => {
  let isDraining = false
  const refusals = new Map([
    ['/readyz', JSON.stringify({ ready: false, reasons: ['The server is stopping'], degraded: [] })],
    [openPath, JSON.stringify({ open: false })],
  ])
  return {
    /** the listener as it is to be used: as it was, until the drain has begun */
    listener: ((request, response) => {
      if (!isDraining) return listener(request, response)
      // Whoever sends the next request finds no open connection to this process, which could be closed under it.
      response.setHeader('connection', 'close')
      const body = refusals.get(request.url ?? '')
      if (body === undefined) return listener(request, response)
      sendText(request, response, 503, { ...commonHeaders(publicUrl), ...noStore }, body)
    }) satisfies Listener,
    /** Resolves when the time is over and no connection is just coming; the server still listens then. */
    run: async (server: Server, ms: number): Promise<void> => {
      if (ms === 0) return
      isDraining = true
      await pause(ms)
      let came = true
      const note = (): void => {
        came = true
      }
      server.on('connection', note)
      // Whoever has connected and is not accepted when the door is shut would be cut off.
      for (let turn = 0; came && turn < mostTurns; turn += 1) {
        came = false
        await nextTurn()
      }
      server.off('connection', note)
    },
  }
}
