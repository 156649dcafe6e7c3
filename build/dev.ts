import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http'
import { join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { createServer as createVite, type ViteDevServer } from 'vite'

/*
 * One address for development: the client with hot reload (Vite), everything else from the server, which is
 * started again whenever one of its sources changes. Pages are rendered here, with the sources of the moment.
 */

const root = resolve(import.meta.dirname, '..')
const RENDER_PATH = '/__render'
const SERVER_ENTRY = 'src/main.ts'
/** Changes in here reach the browser by themselves. */
const CLIENT = 'src/web/client'

const envFile = join(root, '.env')
if (existsSync(envFile)) process.loadEnvFile(envFile)
const port = Number(process.env['PORT'] ?? 3000)
const host = process.env['HOST'] ?? '127.0.0.1'
const publicUrl = process.env['PUBLIC_URL'] ?? `http://localhost:${port}`

let backPort = 0
let server: ChildProcess | null = null
let restarting: Promise<void> = Promise.resolve()
let stopping = false

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system gave no port')
  return address.port
}

function startServer(): void {
  server = spawn(process.execPath, [SERVER_ENTRY], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(backPort),
      HOST: '127.0.0.1',
      PUBLIC_URL: publicUrl,
      ATELIER_DEV_RENDERER: `http://127.0.0.1:${port}${RENDER_PATH}`,
    },
  })
}

async function stopServer(): Promise<void> {
  if (server && server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  server = null
}

/** Starts the server again, one restart after the other. */
function restartServer(because: string): void {
  restarting = restarting.then(async () => {
    if (stopping) return
    console.log(`${because} changed, starting the server again.`)
    await stopServer()
    startServer()
  })
}

/** Renders with the newest sources; the server asks for it as `src/web/server/pages/dev-build.ts` does. */
async function render(
  vite: ViteDevServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { name, input } = JSON.parse(await text(request))
    const renderer = await vite.ssrLoadModule(`/${CLIENT}/entry-server.tsx`)
    const output: unknown = await renderer[name](input)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(output))
  } catch (error) {
    if (error instanceof Error) vite.ssrFixStacktrace(error)
    console.error(error)
    response.writeHead(500).end(error instanceof Error ? error.stack : String(error))
  }
}

const RETRY_MS = 50
/** A restart takes a second or two; beyond this the server has probably refused to start. */
const TIMEOUT_MS = 15_000

/** Hands a request to the server; waits while it is starting. */
function forward(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now()
  let onward: ClientRequest | null = null
  response.once('close', () => onward?.destroy())

  const send = (): void => {
    if (response.destroyed) return
    const { method, url: path, headers } = request
    // A connection of its own: one that is kept may belong to the server that has just ended.
    onward = httpRequest(
      { host: '127.0.0.1', port: backPort, method, path, headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(response)
      },
    )
    // The body is taken once somebody listens, so that a restart loses no form.
    onward.on('socket', (socket) => socket.once('connect', () => onward && request.pipe(onward)))
    onward.on('error', (error) => {
      const isStarting = 'code' in error && error.code === 'ECONNREFUSED'
      if (isStarting && performance.now() - started < TIMEOUT_MS) setTimeout(send, RETRY_MS)
      else if (response.headersSent) response.destroy()
      else response.writeHead(502).end('The server is not answering; its output says why.\n')
    })
  }
  send()
}

async function stop(vite: ViteDevServer): Promise<void> {
  if (stopping) return
  stopping = true
  front.close()
  front.closeAllConnections()
  await Promise.all([stopServer(), vite.close()])
}

const front = createServer()
const vite = await createVite({
  root,
  configFile: join(root, 'vite.config.ts'),
  server: {
    middlewareMode: true,
    hmr: { server: front },
    // All of the repository else, the site's folder and its keys with it.
    fs: { allow: ['src', 'node_modules'].map((folder) => join(root, folder)) },
  },
})
front.on('request', (request, response) => {
  if (request.url === RENDER_PATH && request.method === 'POST') void render(vite, request, response)
  else vite.middlewares(request, response, () => forward(request, response))
})
vite.watcher.on('all', (_, file) => {
  const path = relative(root, file)
  if (path.startsWith('src/') && !path.startsWith(CLIENT) && !/\.test\.tsx?$/.test(path)) restartServer(path)
})
process.once('SIGINT', () => void stop(vite))
process.once('SIGTERM', () => void stop(vite))

backPort = await freePort()
startServer()
front.listen(port, host)
await once(front, 'listening')
console.log(`Development: ${publicUrl}`)
