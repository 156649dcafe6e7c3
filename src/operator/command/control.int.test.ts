import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { askRunningServer } from './control.ts'

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
