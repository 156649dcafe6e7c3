import { pause, retry } from '#application/kernel/retry.ts'
import { type Documents, servedSaidMs, type ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { EventStore } from '#application/kernel/ports/event-store.ts'
import type { Projection } from './projection.ts'
import { type Reading, upToIn } from './reading.ts'
import type { ProjectorLog } from './views.ts'

/** Whoever waits for views looks so often where they stand. */
export const lookEveryMs = 15
/** And with an engine away never more seldom than so. */
export const longestPauseMs = 2_000
/** Of views that are late for longer it is not said while they are waited for: commands elsewhere would wait for them as well. */
const saidWhileLateMs = 60_000

/** What is known of views that are read here, of which those who write elsewhere have to know (ADR 51). */
interface Serving {
  readonly options: {
    readonly eventStore: Pick<EventStore, 'head'>
    readonly documents: Pick<Documents, 'serve'>
    readonly projections: readonly Projection[]
    readonly log: ProjectorLog
    readonly isServing?: boolean
  }
  /** aborted when it is to stop */
  readonly signal: AbortSignal
  /** Reads where the views stand. */
  readonly look: () => Promise<Reading>
  /** the other versions of the views that are read somewhere */
  others: readonly ViewDefinition[]
  /** whether it was said anew that they are read here, and those who write there may not know of it; or they were put back */
  isUnheard: boolean
  /** whether what is shown may be read */
  isReady: boolean
}

/** Says that the views are read here, where they are, and hears which others are. */
const say = async (at: Serving): Promise<void> => {
  const { documents, projections, isServing } = at.options
  if (isServing !== true) return
  const { others, isAnew } = await documents.serve(projections.map(({ view }) => view))
  at.others = others
  if (isAnew && others.length > 0) at.isUnheard = true
}

/**
 * Waits until all is shown that is in the log now.
 * @param meanwhile done every {@link servedSaidMs} beside looking, for a minute
 * @throws the signal's reason when it is stopped before
 */
const untilShown = async (
  { options, signal, look }: Serving,
  meanwhile?: () => Promise<void>,
): Promise<void> => {
  const begun = performance.now()
  let due = begun + servedSaidMs
  const head = await options.eventStore.head()
  while (!signal.aborted && head !== null) {
    const now = performance.now()
    const isDue = now >= due && now < begun + saidWhileLateMs
    if (isDue) due = now + servedSaidMs
    const [reading] = await Promise.all([look(), isDue ? meanwhile?.() : undefined])
    if ((upToIn(reading) ?? '') >= head) break
    await pause(lookEveryMs, signal, { ref: false })
  }
  signal.throwIfAborted()
}

/** Waits until all is shown that was written before those who write knew that it is read here. */
export const becomeReady = (at: Serving): Promise<void> => {
  const { options, signal } = at
  const who = at.isUnheard ? 'site' : 'start'
  const onFailure = (err: unknown, retryInMs: number): void =>
    options.log.warn({ err, retryInMs }, `The ${who} waits for an engine`)
  // A try that fails may have said it: the next one goes on from there.
  const waited = async (): Promise<void> => {
    if (!at.isUnheard) {
      await untilShown(at)
      await say(at)
    }
    while (at.isUnheard) {
      await pause(2 * servedSaidMs, signal, { ref: false })
      at.isUnheard = false
      // However long that takes: it is counted on all the while.
      await untilShown(at, () => say(at))
      await say(at)
    }
    at.isReady = true
  }
  return retry(waited, { firstMs: lookEveryMs, longestMs: longestPauseMs, signal, onFailure })
}

/**
 * Says it for as long as it is so. With MongoDB away nobody can write either. Once a process that stood still, or that MongoDB
 * did not hear, is heard again, it is closed until it shows what was written meanwhile.
 */
export const goOnSaying = async (at: Serving): Promise<void> => {
  while (!at.signal.aborted) {
    await pause(servedSaidMs, at.signal, { ref: false })
    if (at.signal.aborted) return
    await say(at).catch(() => undefined)
    at.isReady = !at.isUnheard
    if (at.isReady) continue
    at.options.log.warn({}, 'Closed until all is shown that is in the log')
    await becomeReady(at).catch(() => undefined)
  }
}
