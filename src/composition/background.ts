import { flushCompileCache } from 'node:module'
import { asError } from '#application/kernel/reason.ts'
import { pause, retry } from '#application/kernel/retry.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { giveBackAtRest } from './give-back.ts'

const backgroundAfterMs = 250
/** Before what few requests need is loaded too: until then the processor is for whoever asks first. */
const laterPartsAfterMs = 5_000
/** Before a worker that could not start is started again. */
const workerPauses = { firstMs: 1_000, longestMs: 30_000 }

type Load = () => Promise<unknown>

/**
 * What is loaded when it is first needed, so that nobody waits for it at the start. Node remembers a load that failed for
 * as long as the process lives: what is first needed while there are no file handles would never come back.
 */
const parts: readonly Load[] = [
  () => import('#web/server/app.ts'),
  () => import('feedsmith'),
  () => import('#infrastructure/passwords/commonest.ts'),
  () => import('#infrastructure/metrics/render.ts'),
  () => import('./module-gauges.ts'),
  () => import('undici'),
  async () => {
    // Its libraries come with the first text.
    const { createHtmlSanitiser } = await import('#infrastructure/html/sanitiser.ts')
    const html = createHtmlSanitiser()
    html.excerptOf(html.siteText('<p>a</p>'))
  },
  () => import('#projections/runtime/rebuild-by-projector.ts'),
]
/** The same for a site that is backed up every night. */
const partsOfNight: readonly Load[] = [
  () => import('#infrastructure/archive/forget-keys.ts'),
  () => import('#infrastructure/archive/nightly.ts'),
]

/** Loads parts one after the other, and says in the log what cannot be loaded. */
const loadInTurn = async (parts: readonly Load[], log: Log, signal: AbortSignal): Promise<void> => {
  for (const load of parts) {
    if (signal.aborted) return
    await load().catch((error: unknown) =>
      log.warn({ err: error }, 'A part of the program cannot be loaded: start the server again'),
    )
    // Node keeps what it has read compiled until then, and the next part takes its place in memory.
    flushCompileCache()
  }
}

/** Loads what else is loaded only when it is needed. */
const loadLaterParts = async (
  { first, isBackedUp, log }: Pick<BackgroundPorts, 'first' | 'isBackedUp' | 'log'>,
  signal: AbortSignal,
): Promise<void> => {
  await loadInTurn(first, log, signal)
  // Ends before its time only where nothing more is wanted.
  await pause(laterPartsAfterMs, signal)
  await loadInTurn(isBackedUp ? [...parts, ...partsOfNight] : parts, log, signal)
  if (signal.aborted) return
  log.debug({}, 'All parts of the program are loaded')
  await giveBackAtRest(log, signal)
}

export const never = (): Promise<never> => new Promise(() => {})

interface BackgroundPorts {
  readonly ready: Promise<unknown>
  /** what this process was made for; the rest is loaded a while after */
  readonly first: readonly Load[]
  readonly isBackedUp: boolean
  /** null where this process works off no jobs */
  readonly startWorker: (() => Promise<void>) | null
  readonly log: Log
}

interface Background {
  /** resolves with the error that ended it; never while it goes on */
  readonly failed: Promise<Error>
  readonly stop: () => Promise<void>
}

/** Loads and starts what nobody waits for a moment after the site is open, not before its first answers. */
export const startBackground = (ports: BackgroundPorts): Background => {
  const { ready, startWorker, log } = ports
  const closing = new AbortController()
  let workerStarts: Promise<void> | null = null
  const started = ready
    .then(() => pause(backgroundAfterMs, closing.signal))
    .then(async () => {
      if (closing.signal.aborted) return
      void loadLaterParts(ports, closing.signal)
      if (startWorker === null) return
      // Without file handles or room on the disk none can start: readers are served all the same.
      workerStarts = retry(startWorker, {
        ...workerPauses,
        signal: closing.signal,
        onFailure: (error, retryInMs) =>
          log.warn({ err: error, retryInMs }, 'The background work cannot start; trying again'),
      })
      await workerStarts
    })
  return {
    failed: started.then(never, (error: unknown) => (closing.signal.aborted ? never() : asError(error))),
    stop: async () => {
      closing.abort()
      // Why it could not start was said through `failed`.
      await workerStarts?.catch(() => undefined)
    },
  }
}
