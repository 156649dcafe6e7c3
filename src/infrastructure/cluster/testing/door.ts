import { once } from 'node:events'
import { type Server, type Socket, connect, createServer } from 'node:net'
import { freePort } from '../../testing/free-port.ts'

/** A way to a server that can be shut and frozen, as a network or a paused machine would. */
export interface Door {
  /** of the server behind it, by way of this door */
  readonly url: string
  /** cuts every connection and refuses new ones */
  readonly shut: () => Promise<void>
  readonly open: () => Promise<void>
  /** lets nothing pass in either direction; connections stay, new ones are taken and not answered */
  readonly freeze: () => void
  /** lets nothing pass on the connections that are there, and tells nobody; new ones are as ever */
  readonly forget: () => void
  /** answers each question in these words on the connections that are there; new ones are as ever */
  readonly demote: (answer: string) => void
  readonly thaw: () => void
  readonly close: () => Promise<void>
}

/**
 * Stands between a client and a server on one host.
 * @param address of the server, as a client is given it, with host and port
 */
export const doorTo = async (address: string): Promise<Door> => {
  const there = new URL(address)
  const port = await freePort()
  const pairs = new Set<readonly [Socket, Socket]>()
  let frozen = false
  let server: Server

  const listen = async (): Promise<void> => {
    server = createServer((outside) => {
      const inside = connect(Number(there.port), there.hostname)
      const pair = [outside, inside] as const
      pairs.add(pair)
      const end = (): void => {
        pairs.delete(pair)
        outside.destroy()
        inside.destroy()
      }
      for (const socket of pair) socket.on('error', end).on('close', end)
      outside.pipe(inside)
      inside.pipe(outside)
      if (frozen) for (const socket of pair) socket.unpipe().pause()
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const shut = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    for (const [outside] of pairs) outside.destroy()
    await once(server, 'close')
  }
  const forget = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.unpipe().pause()
  }
  await listen()
  const url = new URL(address)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    shut,
    open: listen,
    freeze: () => {
      frozen = true
      forget()
    },
    forget,
    demote: (answer) => {
      for (const [outside, inside] of pairs) {
        for (const socket of [outside, inside]) socket.unpipe()
        inside.pause()
        outside.on('data', () => outside.write(answer)).resume()
      }
    },
    thaw: () => {
      frozen = false
      for (const [outside, inside] of pairs) {
        outside.pipe(inside)
        inside.pipe(outside)
      }
    },
    close: shut,
  }
}
