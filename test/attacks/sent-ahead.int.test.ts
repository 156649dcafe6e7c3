import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Site } from '../support/site.ts'
import { describeAttacks } from './under-attack.ts'

/*
 * Requests that are sent ahead weigh a hundred times their bytes once they are read: a few megabytes of them from one
 * machine took the server's whole memory.
 */

const connections = 40
/** What Node reads of a connection in one go holds no more. */
const bytesAhead = 64 * 1024
const request = 'GET / HTTP/1.1\r\nhost:a\r\n\r\n'
/** In bytes. Gathered they took some 600 million; let go of, they are garbage that soon goes. */
const mostGrowth = 400_000_000

await describeAttacks('requests that are sent ahead', (start) => {
  let site: Site
  beforeAll(async () => {
    site = await start()
  })
  afterAll(() => site?.stop())

  const memory = async (): Promise<number> => {
    const text = await (await fetch(`${site.url}/metrics`)).text()
    return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1])
  }

  it('are not gathered in memory', async () => {
    const before = await memory()
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.resume()
      socket.write(request.repeat(bytesAhead / request.length))
      return socket
    })
    let most = 0
    const closed = async (): Promise<number> => {
      most = Math.max(most, await memory())
      return sockets.filter((socket) => socket.closed).length
    }
    await expect.poll(closed, { timeout: 90_000 }).toBe(connections)
    for (const socket of sockets) socket.destroy()
    expect(most - before).toBeLessThan(mostGrowth)
  })
})
