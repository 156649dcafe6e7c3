import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { createLog } from '#infrastructure/log/log.ts'
import type { ServerPorts } from './carry-out.ts'
import { askRunningServer, doesServerAnswer, startControl } from './control.ts'

const order = { operation: 'x', args: {} }
const folder = async (): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atelier-control-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  return dataDir
}

/** A socket like that of a process that stands still: the system takes connections in, and nobody reads. */
const standingStill = async (dataDir: string): Promise<void> => {
  const server = createSocketServer({ pauseOnConnect: true })
  server.listen(join(dataDir, 'control.sock'))
  await once(server, 'listening')
  onTestFinished(() => void server.close())
}

/** A server's socket, and which operations were begun over it. */
const listening = async (dataDir: string): Promise<readonly string[]> => {
  const begun: string[] = []
  const ports = {
    config: { dataDir },
    log: createLog('silent'),
    operationCalled: async (name: string) => {
      begun.push(name)
      return null
    },
    // No more of them is used by the socket itself.
  } as Partial<ServerPorts> as ServerPorts
  const server = await startControl(ports)
  onTestFinished(() => void server?.close())
  return begun
}

it.each(['before', 'in the middle of'])('says so when the server ends %s its answer', async (when) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atelier-control-'))
  const progress = { what: 'Reading the log', done: 1, total: null, unit: 'events' }
  const server = createServer((request, response) => {
    if (when === 'before') request.socket.destroy()
    else response.write(`${JSON.stringify({ progress })}\n`)
  })
  server.listen(join(dataDir, 'control.sock'))
  await once(server, 'listening')
  const asked = askRunningServer(
    dataDir,
    { operation: 'x', args: {} },
    { signal: new AbortController().signal, progress: () => server.closeAllConnections() },
  )
  await expect(asked).rejects.toThrow('The server stopped before the command was done')
  server.close()
  await rm(dataDir, { recursive: true })
})

it('is told by a server that it does not know an order, having begun it', async () => {
  const dataDir = await folder()
  const begun = await listening(dataDir)
  const task = { signal: new AbortController().signal, progress: () => undefined }
  expect(await askRunningServer(dataDir, order, task)).toMatchObject({ ok: false })
  expect(begun).toEqual(['x'])
})

it('begins nothing for one who has gone before the order was looked at', async () => {
  const dataDir = await folder()
  const begun = await listening(dataDir)
  const body = JSON.stringify(order)
  const gone = Array.from({ length: 20 }, async () => {
    const socket = connect(join(dataDir, 'control.sock'))
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      () => void socket.destroy(),
    )
    await once(socket, 'close')
  })
  await Promise.all(gone)
  // It goes on, and answers whoever comes behind them.
  expect(await doesServerAnswer(dataDir, 5_000)).toBe(true)
  expect(begun).toEqual([])
})

it('leaves nothing behind in the socket of a server that stands still, and says so', async () => {
  const dataDir = await folder()
  await standingStill(dataDir)
  const leaving = new AbortController()
  const task = { signal: leaving.signal, progress: () => undefined }
  const asked = askRunningServer(dataDir, order, task)
  setTimeout(() => leaving.abort(new Error('Stopped.')), 100)
  await expect(asked).rejects.toThrow(
    /^Stopped. The server that runs here has not answered, and nothing was done$/,
  )
  const waiting = { ...task, signal: new AbortController().signal }
  await expect(askRunningServer(dataDir, order, waiting, 100)).rejects.toThrow(
    /nothing was done: see whether/,
  )
  expect(await doesServerAnswer(dataDir, 100)).toBe(false)
})

it('says that nobody knows how far an order came that was taken up and not heard of', async () => {
  const dataDir = await folder()
  const leaving = new AbortController()
  const server = createServer((request) =>
    request.resume().once('end', () => leaving.abort(new Error('Stopped.'))),
  )
  server.listen(join(dataDir, 'control.sock'))
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const asked = askRunningServer(dataDir, order, { signal: leaving.signal, progress: () => undefined })
  await expect(asked).rejects.toThrow(
    /^Stopped. The server that runs here was told of it and said nothing yet/,
  )
})

it('takes no server for one that stands still because whoever asks did', async () => {
  const dataDir = await folder()
  const path = JSON.stringify(join(dataDir, 'control.sock'))
  const server = new Worker(
    `require('node:http').createServer().listen(${path}, () => require('node:worker_threads').parentPort.postMessage('listening'))`,
    { eval: true },
  )
  onTestFinished(() => void server.terminate())
  await once(server, 'message')
  const answers = doesServerAnswer(dataDir, 300)
  // Nothing of this thread goes on meanwhile: neither is anything sent nor is it heard.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
  expect(await answers).toBe(true)
})

it('knows that no server runs', async () => {
  expect(await doesServerAnswer(await folder(), 5_000)).toBeNull()
})
