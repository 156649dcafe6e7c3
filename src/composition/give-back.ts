import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pause } from '#application/kernel/retry.ts'
import type { Log } from '#infrastructure/log/log.ts'

/** Between two looks at how busy the process is, in ms. */
const lookMs = 10_000
/** A process that works a smaller share of the time is at rest. */
const busyShare = 0.1
/** What it must have grown by since the last time, in bytes, for others to wait a moment. */
const worthIt = 32 * 2 ** 20

/**
 * Collects, and gives back to the system what is empty then. V8 keeps the pages that its other collections empty for
 * itself, however long nothing goes on, and does this when memory runs out: after a rush a process stays as large as it was.
 * @returns what does so: the function `gc`, which Node has by a flag of V8's alone
 */
export const collector = (): (() => void) => {
  setFlagsFromString('--expose-gc')
  // A context has it that is made while the flag is set; of what kind it is stands in Node's types alone.
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  return () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** @returns how busy the process was since it was asked last, from 0 to 1 */
const busyness = (): (() => number) => {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

/**
 * Gives back what a start or a rush has left over, each time once little is going on. Never rejects.
 * @param parts what it looks at, and how it gives back; the process itself unless given
 */
export const giveBackAtRest = async (
  log: Pick<Log, 'debug'>,
  signal: AbortSignal,
  {
    busy = busyness(),
    resident = () => process.memoryUsage.rss(),
    collect = collector(),
    everyMs = lookMs,
  } = {},
): Promise<void> => {
  let kept = 0
  const isOver = () => pause(everyMs, signal, { ref: false }).then(() => signal.aborted)
  const look = (): void => {
    const before = resident()
    if (busy() >= busyShare || before - kept < worthIt) return
    const begun = performance.now()
    collect()
    kept = resident()
    const ms = Math.round(performance.now() - begun)
    log.debug({ before, after: kept, ms }, 'Memory was given back to the system')
  }
  while (!(await isOver())) {
    try {
      look()
    } catch (error) {
      // How large a process is stands in a file of the system, and there may be no handle left for one.
      log.debug({ err: error }, 'How much memory is used cannot be told just now')
    }
  }
}
