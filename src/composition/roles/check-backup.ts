import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { reasonOf } from '#application/kernel/reason.ts'
import { keptArchives } from '#infrastructure/archive/kept-archives.ts'
import { outcome } from '#operator/command/order.ts'
import { z } from 'zod'

/** The operator's own command does it, in a process of its own: whatever happens to that, the site lives on. */
const cli = join(import.meta.dirname, '../../cli.ts')
/** What it may hold, in MB; it reads everything in pieces. */
const heapMegabytes = 256
/** How long it has to tidy up once it is told to stop, in ms. */
const lastWordsMs = 3_000

const found = z.looseObject({ problems: z.array(z.string()) })

/** What it said, in words; null when nothing lacks. */
const complaintIn = (output: string): string | null => {
  const { ok, message, data } = outcome.parse(JSON.parse(output))
  if (ok) return null
  const report = found.safeParse(data)
  return report.success ? report.data.problems.join('. ') : message
}

/**
 * Restores the newest backup of a folder for a look, beside the site.
 * @returns what it lacks, in words; null when it is whole
 * @throws in words when the look itself did not come to its end; the signal's reason when aborted
 */
export const checkNewestBackup = async (backupDir: string, signal: AbortSignal): Promise<string | null> => {
  const [newest] = (await keptArchives(backupDir)).archives
  if (newest === undefined) return `There is no whole backup in ${backupDir}`
  const child = fork(cli, ['--json', 'backup', 'check', newest.path], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
  })
  const untilThen =
    'The next is taken at night, and this is said until then: to look now, run ' +
    `"atelier backup check ${newest.path}"`
  // As without a file handle: it has nothing to read from either.
  if (child.pid === undefined) {
    const [error] = await once(child, 'error')
    throw new Error(`The look at the backup could not be begun: ${reasonOf(error)}. ${untilThen}`)
  }
  let killer: NodeJS.Timeout | undefined
  const stop = (): void => {
    child.kill('SIGTERM')
    killer ??= setTimeout(() => child.kill('SIGKILL'), lastWordsMs)
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    const [output, [code, by]] = await Promise.all([
      child.stdout === null ? '' : text(child.stdout),
      once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>, // as Node gives it
    ])
    signal.throwIfAborted()
    if (output === '') {
      const how = by === null ? `with exit code ${code}` : `by ${by}`
      throw new Error(`The look at the backup was ended ${how}. ${untilThen}`)
    }
    return complaintIn(output)
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(killer)
  }
}
