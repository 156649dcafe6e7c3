import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, startSite } from '../test/support/site.ts'
import { withFolder } from './floors.ts'
import { untilPicturesReady } from './gallery.ts'
import { median } from './measure.ts'
import { type Bench, row } from './row.ts'

const starts = 9

/** Asks without a pause until there is a 200: the answer is counted from the moment it could first be had. */
const first200 = async (url: string, child: ChildProcess): Promise<void> => {
  while (child.exitCode === null) {
    // Refused only means that it does not listen yet; the loop ends with the process if it never does.
    const answer = await fetch(url).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error(`The server ended with ${child.exitCode} before it answered ${url}`)
}

/** @returns milliseconds from spawn to the first 200 of `path`, the middle one of several starts */
const startTime = async (
  args: (port: number) => { args: string[]; env: NodeJS.ProcessEnv },
  path: string,
) => {
  const times: number[] = []
  for (let run = 0; run < starts; run += 1) {
    const port = await freePort()
    const given = args(port)
    const begin = performance.now()
    const child = spawn(process.execPath, given.args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: given.env,
    })
    try {
      await first200(`http://127.0.0.1:${port}${path}`, child)
      times.push(performance.now() - begin)
    } finally {
      if (child.exitCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
    }
  }
  return median(times)
}

const bare =
  "require('node:http').createServer((_, answer) => answer.end('ok')).listen(Number(process.env.PORT), '127.0.0.1')"
const main = join(import.meta.dirname, '..', 'src', 'main.ts')

/** From the command to the first answer, on a folder that was started before (samples, compile cache, client built). */
const bench: Bench = {
  name: `Start, ${starts} times, middle value`,
  run: () =>
    withFolder(async (folder) => {
      const dataDir = join(folder, 'data')
      await mkdir(dataDir)
      const settings = { SAMPLES: 'auto', LOG_LEVEL: 'warn' }
      const first = performance.now()
      const site = await startSite({ dataDir, env: settings, within: 60_000 })
      const firstStart = performance.now() - first
      await untilPicturesReady(site)
      await site.stop()

      const ours = (port: number) => ({
        args: [main],
        env: { ...process.env, ...settings, NODE_ENV: 'production', DATA_DIR: dataDir, PORT: String(port) },
      })
      const theirs = (port: number) => ({ args: ['-e', bare], env: { ...process.env, PORT: String(port) } })
      await startTime(ours, '/')
      const floor = { what: 'bare node:http', value: await startTime(theirs, '/') }
      return [
        row('first start ever, samples painted in, to ready', firstStart, 'ms'),
        row('first 200 of /healthz', await startTime(ours, '/healthz'), 'ms', { floor, aim: { atMost: 3 } }),
        row('first 200 of /', await startTime(ours, '/'), 'ms', { floor, aim: { atMost: 6 } }),
      ]
    }),
}
export default bench
