import { once } from 'node:events'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { letGoOfSlow, type Timeouts } from './slow-clients.ts'
import { answerUnheard } from './unheard.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** More than the buffers of both ends together take. */
const large = Buffer.alloc(64 * 1024 * 1024)

/** Short enough to be waited for; nobody is slow by the speed of what is taken in. */
const brief: Timeouts = {
  silentMs: 300,
  unreadMs: 400,
  workMs: 10_000,
  headersMs: 10_000,
  requestMs: 10_000,
  restMs: 300,
  answerMs: 60_000,
  bytesPerSecond: 1,
  lookMs: 50,
}

const serve = async (
  answer: RequestListener,
  timeouts: Partial<Timeouts> = {},
  options: ServerOptions = {},
  most?: number,
): Promise<() => Socket> => {
  const server = createServer({ connectionsCheckingInterval: 50, ...options }, answer)
  answerUnheard(server, 'http://localhost')
  letGoOfSlow(server, { ...brief, ...timeouts }, most)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return () => {
    // Listening on a port, so its address is not a path.
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    // A reset is one way of being let go: what was sent and not read any more makes it one.
    socket.on('error', () => undefined)
    closing.push(() => socket.destroy())
    return socket
  }
}

/** What comes until the connection has ended, by a close or by a reset. */
const heardUntilGone = async (socket: Socket): Promise<string> => {
  let heard = ''
  socket.on('data', (piece: Buffer) => (heard += String(piece)))
  await new Promise((resolve) => socket.once('close', resolve))
  return heard
}

/** Sends the same again and again, for as long as the connection is there. */
const drip = (socket: Socket, piece: string): void => {
  const timer = setInterval(() => socket.write(piece), 50)
  socket.once('close', () => clearInterval(timer))
}

/** Reads a piece, pauses, reads the next, until the connection ends. @returns how much came */
const sip = async (socket: Socket, pauseMs: number): Promise<number> => {
  let bytes = 0
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length
    socket.pause()
    setTimeout(() => socket.resume(), pauseMs)
  })
  // Not `once` of events, which a reset would reject.
  await new Promise((resolve) => socket.once('close', resolve))
  return bytes
}

const head = 'GET / HTTP/1.1\r\nhost: x\r\n'

describe('a client that is slow', () => {
  it('is let go when it never reads', async () => {
    const gone: Promise<unknown>[] = []
    const open = await serve((request, response) => {
      gone.push(once(request.socket, 'close'))
      response.end(large)
    })
    for (let n = 0; n < 20; n += 1) open().pause().write(`${head}\r\n`)
    await expect.poll(() => gone.length).toBe(20)
    await Promise.all(gone)
  })

  it('is let go when it sends ahead and never reads', async () => {
    const gone = new Set<Promise<unknown>>()
    const seen = new WeakSet<Socket>()
    const open = await serve((request, response) => {
      if (!seen.has(request.socket)) gone.add(once(request.socket, 'close'))
      seen.add(request.socket)
      setImmediate(() => response.end(large.subarray(0, 2_000_000)))
    })
    for (let n = 0; n < 5; n += 1) open().pause().write(`${head}\r\n`.repeat(600))
    await expect.poll(() => gone.size).toBe(5)
    await Promise.all(gone)
  })

  it('is let go when it never reads and sends one more request now and then', async () => {
    const gone: Promise<unknown>[] = []
    // So much may wait to be read that Node goes on taking requests in.
    const open = await serve(
      (request, response) => {
        if (gone.length === 0) gone.push(once(request.socket, 'close'))
        response.end(large)
      },
      { silentMs: 60_000, answerMs: 300, bytesPerSecond: 1024 ** 3 },
      { highWaterMark: 2 ** 40 },
    )
    const never = open().pause()
    drip(never, `${head}\r\n`)
    await expect.poll(() => gone.length).toBe(1)
    await gone[0]
  })

  it('is let go when its body stands still, and when the rest of one drips that nobody waits for', async () => {
    const open = await serve((_request, response) => void response.end('heard'))
    const still = open()
    still.write(`${head}content-length: 100\r\n\r\nabc`)
    const slow = open()
    slow.write(`${head}content-length: 1000000\r\n\r\n`)
    drip(slow, 'x')
    const heard = await Promise.all([still, slow].map(heardUntilGone))
    expect(heard).toEqual([expect.stringContaining('heard'), expect.stringContaining('heard')])
  })

  it('is let go when it takes in a piece of the answer now and then, below the least speed', async () => {
    // Never silent: what lets go of it is the speed alone.
    const timeouts = { silentMs: 60_000, answerMs: 300, bytesPerSecond: 1024 ** 3 }
    const open = await serve((_request, response) => void response.end(large), timeouts)
    const taken = Array.from({ length: 20 }, async () => {
      const socket = open()
      socket.write(`${head}connection: close\r\n\r\n`)
      return sip(socket, 20)
    })
    for (const bytes of await Promise.all(taken)) expect(bytes).toBeLessThan(large.length)
  })

  it('is none that listens to an answer without an end', async () => {
    const open = await serve(
      (_request, response) => {
        let beats = 0
        const timer = setInterval(() => {
          response.write('beat')
          beats += 1
          if (beats === 20) response.end('the last')
        }, 50)
        response.once('close', () => clearInterval(timer))
      },
      { answerMs: 100, bytesPerSecond: 1024 ** 3 },
    )
    const listening = open()
    listening.write(`${head}connection: close\r\n\r\n`)
    expect(await heardUntilGone(listening)).toContain('the last')
  })

  it('is told that its headers took too long', async () => {
    const open = await serve(() => undefined, { headersMs: 300 })
    const slow = open()
    slow.write('GET / HTTP/1.1\r\nhost: x\r\nx-drip: ')
    drip(slow, 'x')
    expect(await heardUntilGone(slow)).toMatch(/^HTTP\/1\.1 408 [^]*"The request took too long to arrive/)
  })

  it('is let go when it says nothing at all', async () => {
    const open = await serve(() => undefined)
    const answer = heardUntilGone(open())
    expect(await answer).toBe('')
  })

  it('is none whose bytes have come while the process stood still', async () => {
    const open = await serve((_request, response) => void response.end('heard'))
    const socket = open()
    const answer = heardUntilGone(socket)
    await once(socket, 'connect')
    const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * brief.silentMs)
    socket.write(`${head}connection: close\r\n\r\n`, standStill)
    expect(await answer).toContain('heard')
  })

  it('is none while its answer is being made, or read', async () => {
    const pauses = [1_000, 1_000, 0]
    const open = await serve((_request, response) => {
      const next = (): void => {
        const pause = pauses.shift()
        if (pause === undefined) response.end('at last')
        else setTimeout(next, pause)
      }
      next()
    })
    const patient = open()
    patient.write(`${head}connection: close\r\n\r\n`)
    expect(await heardUntilGone(patient)).toContain('at last')
  })

  it('is let go of at last where its answer never comes', async () => {
    const open = await serve(() => undefined, { workMs: 700 })
    const patient = open()
    patient.write(`${head}\r\n`)
    expect(await heardUntilGone(patient)).toBe('')
  })
})

describe('connections that are too many', () => {
  it('are let go where nothing is asked on them, the first of them first', async () => {
    const open = await serve(
      (_request, response) => void response.write('begun'),
      { silentMs: 60_000 },
      {},
      3,
    )
    const gone: string[] = []
    const begin = async (name: string, said: string): Promise<Socket> => {
      const socket = open()
      socket.once('close', () => gone.push(name))
      await once(socket, 'connect')
      socket.write(said)
      return socket
    }
    const asking = await begin('asking', `${head}\r\n`)
    await once(asking, 'data')
    for (const name of ['first', 'second']) await begin(name, head)
    expect(gone).toEqual([])
    const third = await begin('third', head)
    await expect.poll(() => gone).toEqual(['first'])
    await begin('fourth', head)
    await expect.poll(() => gone).toEqual(['first', 'second'])
    third.write('\r\n')
    await once(third, 'data')
  })

  it('are let go where nobody reads what was asked, before anybody is turned away', async () => {
    const open = await serve(
      (request, response) => {
        if (request.url === '/large') response.end('x'.repeat(50_000_000))
        else response.write('begun')
      },
      { silentMs: 60_000 },
      {},
      2,
    )
    const reading = open()
    reading.write(`${head}\r\n`)
    await once(reading, 'data')
    const unread = open()
    unread.write(`${head.replace(' / ', ' /large ')}\r\n`)
    await once(unread, 'readable')
    const third = open()
    third.write(`${head}\r\n`)
    expect(String(await once(third, 'data'))).toContain('begun')
    expect(reading.destroyed).toBe(false)
  })

  it('are not begun where something is asked on each', async () => {
    const open = await serve(
      (_request, response) => void response.write('begun'),
      { silentMs: 60_000 },
      {},
      2,
    )
    for (const socket of [open(), open()]) {
      socket.write(`${head}\r\n`)
      await once(socket, 'data')
    }
    expect(await heardUntilGone(open())).toBe('')
  })
})
