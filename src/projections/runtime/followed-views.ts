import { reasonOf } from '#application/kernel/reason.ts'
import { rest, retry } from '#application/kernel/retry.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { EventStore, Position } from '#application/kernel/ports/event-store.ts'
import { astrayInWords, ViewsAstray } from './astray.ts'
import { type Audience, openAudience } from './audience.ts'
import { measureLag } from './lag.ts'
import type { Projection } from './projection.ts'
import { openReader, type Reading, shareReadings } from './readings.ts'
import type { ProjectorLog, Views } from './views.ts'

/** spec V-22 */
const boundMs = 2_000
const lookEveryMs = 15
/** Somebody may have changed something although nobody here waits for it. */
const lookAnywayMs = 250
const longestPauseMs = 2_000

export interface FollowedViews extends Views {
  /** Read after it was asked for. @throws {EngineAway} when the engine does not answer */
  readonly version: (views: readonly string[]) => Promise<string>
  /** Looks at once: somebody says that something changed. Nobody relies on being told. */
  readonly hurry: () => void
  readonly stop: () => Promise<void>
}

interface FollowOptions {
  readonly eventStore: Pick<EventStore, 'head' | 'readAll'>
  readonly documents: Documents
  readonly projections: readonly Projection[]
  readonly log: ProjectorLog
  /** how long `shows` waits at most; 2 s unless told */
  readonly showsWithinMs?: number
}

/** One who follows: what it was given, and what it knows just now. */
interface Following {
  readonly options: FollowOptions
  readonly audience: Audience
  /** aborted when it is to stop */
  readonly signal: AbortSignal
  /** Reads the checkpoints, tells whoever waits, and answers what was read. */
  readonly look: () => Promise<Reading>
  seen: Reading | null
  trouble: string | null
  isReady: boolean
  astray: ViewsAstray | null
  /** a place that the log has come to; null: to be asked of it */
  known: Position | null
  /** ends the pause before the next look; made anew each time */
  wake: AbortController
}

/** Views that say they show what the log never had show nothing. Asked only where they have moved on. */
const lookForAstray = async (at: Following, { places }: Reading): Promise<void> => {
  const { eventStore, projections, log } = at.options
  const furthest = places.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null)
  if (furthest === null || (at.known !== null && furthest <= at.known)) {
    at.astray = null
    return
  }
  // Read after the places were. With the log away reading goes on, and nobody writes.
  const head = await eventStore.head().catch(() => undefined)
  if (head === undefined) return
  at.known = head !== null && furthest <= head ? head : null
  if (at.known !== null) at.astray = null
  else if (at.astray === null) {
    const ahead = projections.flatMap(({ view: { name } }, n) => {
      const place = places[n] ?? null
      return place !== null && (head === null || place > head) ? [[name, place] as const] : []
    })
    at.astray = new ViewsAstray(new Map(ahead))
    log.error(
      { places: Object.fromEntries(ahead) },
      `${astrayInWords(at.astray.places)}. Until then nothing is saved`,
    )
    at.audience.sendAway()
  }
}

/** Tells whoever waits or listens what a reading shows. */
const announce = async (at: Following, reading: Reading): Promise<Reading> => {
  await lookForAstray(at, reading)
  const { upTo, versions } = reading
  const before = at.seen
  at.seen = reading
  if (upTo === null) return reading
  if (at.astray === null) at.audience.show(upTo)
  const isChanged = ({ view: { name } }: Projection): boolean =>
    versions.get(name) !== before?.versions.get(name)
  if (before !== null) at.audience.tell(at.options.projections.filter(isChanged), upTo)
  return reading
}

const untilWoken = ({ wake, signal }: Following, ms: number): Promise<unknown> =>
  rest(ms, AbortSignal.any([wake.signal, signal]), { ref: false })

const hurry = (at: Following): void => {
  at.wake.abort()
  at.wake = new AbortController()
}

/** Looks again and again until it is stopped. */
const watch = async (at: Following): Promise<void> => {
  for (let waits = 0; !at.signal.aborted; ) {
    try {
      await at.look()
      at.trouble = null
      waits = 0
    } catch (thrown) {
      waits += 1
      at.trouble = reasonOf(thrown)
      if (waits === 1 && !at.signal.aborted)
        at.options.log.warn({ err: thrown }, 'The read models cannot be followed; trying again')
    }
    const backoff = Math.min(lookAnywayMs * 2 ** waits, longestPauseMs)
    await untilWoken(at, at.audience.isWaiting() ? lookEveryMs : backoff)
  }
}

/** Waits until all is shown that is in the log now. @throws the signal's reason when it is stopped before */
const becomeReady = (at: Following): Promise<void> => {
  const { options, signal, look } = at
  const onFailure = (err: unknown, retryInMs: number): void =>
    options.log.warn({ err, retryInMs }, 'The start waits for an engine')
  const untilShown = async (): Promise<void> => {
    const head = await options.eventStore.head()
    while (!signal.aborted && head !== null && ((await look()).upTo ?? '') < head)
      await untilWoken(at, lookEveryMs)
    signal.throwIfAborted()
    at.isReady = true
  }
  return retry(untilShown, { firstMs: lookEveryMs, longestMs: longestPauseMs, signal, onFailure })
}

/**
 * Follows views that a projector somewhere keeps up to date: the stored checkpoints are the truth. Also right where the
 * projector is in this very process and may any time be in another.
 */
export const followViews = (options: FollowOptions): FollowedViews => {
  const { eventStore, documents, projections, log } = options
  const views = projections.map(({ view }) => view)
  const stopping = new AbortController()
  const { signal } = stopping
  const audience = openAudience(log)
  const read = openReader(documents, views)
  const at: Following = {
    options,
    audience,
    signal,
    look: shareReadings(async () => announce(at, await read())),
    seen: null,
    trouble: null,
    isReady: false,
    astray: null,
    known: null,
    wake: new AbortController(),
  }
  const watching = watch(at)
  const ready = becomeReady(at)
  // Who does not wait for it need not hear of it.
  ready.catch(() => undefined)

  return {
    ready,
    hurry: () => hurry(at),
    version: async (names) => {
      const { versions } = await at.look()
      return names.map((name) => versions.get(name) ?? `${name}@`).join(' ')
    },
    shows: (position) => {
      const { seen, known } = at
      if (signal.aborted || at.astray !== null) return Promise.resolve(false)
      // Shown before it was asked for: either the projector was quick, or what is shown is of another log.
      if (seen !== null && seen.upTo !== null && seen.upTo >= position) at.known = null
      else if (known !== null && position > known) at.known = position
      const answer = audience.waitFor(position, options.showsWithinMs ?? boundMs)
      hurry(at)
      return answer
    },
    onChange: audience.onChange,
    astray: () => at.astray,
    lag: async () => {
      const { places } = await at.look()
      const shown = views.map((view, n) => ({ view, position: places[n] ?? null }))
      const measured = { lastBatchAt: null, ...(await measureLag({ eventStore, documents }, shown)) }
      const { astray, trouble, isReady } = at
      return astray === null
        ? { state: isReady ? 'live' : 'catching-up', trouble, ...measured }
        : { state: 'astray', trouble: astrayInWords(astray.places), ...measured }
    },
    stop: async () => {
      stopping.abort(new Error('The process was stopped before it was ready'))
      audience.sendAway()
      await watching
    },
  }
}
