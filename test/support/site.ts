import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '#infrastructure/testing/free-port.ts'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..', '..')

/** Where `npm start` keeps compiled code. */
const compileCache = join(root, 'node_modules', '.cache', 'atelier')

/** How `npm start` calls Node: its settings for memory, and its options with the file. */
export const asStarted = (): { readonly env: Record<string, string>; readonly args: string[] } => {
  const [settings = '', call = ''] = manifest.scripts.start.split(' exec node ')
  const env = settings.split(' ').map((setting) => setting.split('=') as [string, string])
  return {
    env: { ...Object.fromEntries(env), NODE_COMPILE_CACHE: compileCache },
    args: call.split(' ').map((arg) => (arg.startsWith('-') ? arg : join(root, arg))),
  }
}

/** A whole server in a process of its own, as `npm start` runs it. */
export type Site = {
  readonly url: string
  readonly dataDir: string
  readonly process: ChildProcess
  /** the settings it was given over the usual ones, for commands beside it */
  readonly env: Readonly<Record<string, string>>
  /** What the server has printed so far, both streams together. */
  output(): string
  /** Ends the server as an operator would (SIGTERM) and removes its folder unless the caller gave it. */
  stop(): Promise<void>
}

/** Asks `url` until it answers `ready`, the process ends, or `within` milliseconds are over. */
const untilReady = async (
  url: string,
  child: ChildProcess,
  closed: Promise<unknown>,
  within: number,
  output: () => string,
): Promise<void> => {
  const end = performance.now() + within
  let said = 'nothing'
  for (;;) {
    // A refused connection only means "not yet": the loop ends by the time limit or by the process's own end.
    const answer = await fetch(url, { signal: AbortSignal.timeout(within) }).catch(() => null)
    if (answer?.ok) {
      await answer.body?.cancel()
      return
    }
    said = (await answer?.text().catch(() => null)) ?? said
    if (child.exitCode !== null || child.signalCode !== null) {
      await closed
      throw new Error(`The server ended: ${output()}`)
    }
    if (performance.now() > end)
      throw new Error(`The server was not ready within ${within} ms, said ${said}, and printed: ${output()}`)
    await delay(20)
  }
}

/**
 * Starts Atelier on a free port with an empty data folder, no samples and the account admin / `password`.
 * @param options.env settings over the usual ones of a test
 * @param options.dataDir a folder to start on; by default a new one that `stop` removes
 * @param options.until the path that has to answer 2xx before the promise resolves, by default /readyz
 * @param options.stdout a file that its standard output is led to, by its descriptor
 */
export const startSite = async (
  options: {
    env?: Record<string, string>
    dataDir?: string
    until?: string
    within?: number
    stdout?: number
  } = {},
): Promise<Site> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'atelier-site-')))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = asStarted()
  const child = spawn(process.execPath, started.args, {
    cwd: root,
    stdio: ['ignore', options.stdout ?? 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...started.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      SAMPLES: 'off',
      ADMIN_USERNAME: 'admin',
      ADMIN_PASSWORD: password,
      ...options.env,
    },
  })
  // Its end, with all that it printed.
  const closed = once(child, 'close')
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  const output = (): string => printed.join('')
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await closed
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await untilReady(url + (options.until ?? '/readyz'), child, closed, options.within ?? 240_000, output)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, dataDir, process: child, env: options.env ?? {}, output, stop }
}

/** The password of the account that `startSite` makes. */
export const password = 'a-long-test-password'

/**
 * Signs in as the owner.
 * @returns the Cookie header for later calls
 */
export const signIn = async (site: { readonly url: string }): Promise<string> => {
  const ask = () =>
    fetch(`${site.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
  let answer = await ask()
  // A process that has just started may be too busy for the short timeout that it has with a server: not yet.
  for (const end = performance.now() + 20_000; answer.status === 503 && performance.now() < end; ) {
    await answer.body?.cancel()
    await delay(200)
    answer = await ask()
  }
  if (!answer.ok) throw new Error(`Sign-in failed: ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
