import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { asStarted, startSite } from '../test/support/site.ts'
import { withFolder } from './floors.ts'
import { untilImagesReady } from './gallery.ts'
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

type Command = (port: number) => { readonly args: string[]; readonly env: NodeJS.ProcessEnv }

/** Milliseconds from the command to the first 200 of `path`. */
const startTime = async (command: Command, path: string): Promise<number> => {
  const port = await freePort()
  const { args, env } = command(port)
  const begin = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  try {
    await first200(`http://127.0.0.1:${port}${path}`, child)
    return performance.now() - begin
  } finally {
    if (child.exitCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
  }
}

const bare =
  "require('node:http').createServer((_, answer) => answer.end('ok')).listen(Number(process.env.PORT), '127.0.0.1')"

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
      await untilImagesReady(site)
      await site.stop()

      const ours: Command = (port) => ({
        args: asStarted().args,
        env: {
          ...process.env,
          ...settings,
          NODE_ENV: 'production',
          ...asStarted().env,
          DATA_DIR: dataDir,
          PORT: String(port),
          // The address stays over a site's restarts. With a new one for each the page that was kept on the
          // disk would never be that of the site that starts, and each start would load React and render.
          PUBLIC_URL: 'http://atelier.example',
        },
      })
      const theirs: Command = (port) => ({ args: ['-e', bare], env: { ...process.env, PORT: String(port) } })
      await startTime(ours, '/')
      const bareTimes: number[] = []
      const alive: number[] = []
      const page: number[] = []
      const rendered: number[] = []
      // In turns, so that what else the machine does falls on all alike.
      for (let run = 0; run < starts; run += 1) {
        bareTimes.push(await startTime(theirs, '/'))
        alive.push(await startTime(ours, '/healthz'))
        page.push(await startTime(ours, '/'))
        await rm(join(dataDir, 'pages'), { recursive: true, force: true })
        rendered.push(await startTime(ours, '/'))
      }
      const floor = { what: 'bare node:http', value: median(bareTimes) }
      return [
        row('first start ever, samples hung, to ready', firstStart, 'ms'),
        row('first 200 of /healthz', median(alive), 'ms', { floor, aim: { atMost: 4 } }),
        row('first 200 of /', median(page), 'ms', { floor, aim: { atMost: 6 } }),
        row('first 200 of / that has to be rendered', median(rendered), 'ms', { floor }),
      ]
    }),
}
export default bench
