import { rarely } from '#application/kernel/rarely.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { pause } from '#application/kernel/retry.ts'
import { shareReadings } from '#application/kernel/sharing.ts'
import type { Documents, ViewDefinition, ViewPlace } from '#application/kernel/ports/documents.ts'
import { EngineAway, type EventStore, further, type Position } from '#application/kernel/ports/event-store.ts'
import { astrayInWords, ViewsAstray } from './astray.ts'
import { type Audience, openAudience } from './audience.ts'
import { measureLag } from './lag.ts'
import type { Projection } from './projection.ts'
import { isOlder, positionIn, positionsIn, type Reading, readPlaces, upToIn, withOwn } from './reading.ts'
import { becomeReady, goOnSaying, longestPauseMs, lookEveryMs } from './serving.ts'
import { versionOf } from './view-versions.ts'
import type { ProjectorLog, Views } from './views.ts'

/** spec V-22 */
const boundMs = 2_000
/** So long the log is waited for: it may be away for this process alone, while the views move on. */
const headWithinMs = 1_000
/** Somebody may have changed something although nobody here waits for it. */
const lookAnywayMs = 250

export interface FollowedViews extends Views {
  /** Read after it was asked for. @throws {EngineAway} when the engine does not answer */
  readonly version: (views: readonly string[]) => Promise<string>
  /** Somebody says that a view was stored: looks at once where that is waited for. Nobody relies on being told. */
  readonly mayHaveMoved: (view: string) => void
  /** This process has itself stored a view up to there, and was answered that it is stored. */
  readonly stored: (view: string, place: ViewPlace) => void
  /** Whether what is shown here is waited for by those who write, so that nothing is seen here that is hidden (ADR 51). */
  readonly mayBeRead: () => boolean
  readonly stop: () => Promise<void>
}

interface FollowOptions {
  readonly eventStore: Pick<EventStore, 'head' | 'readAll'>
  readonly documents: Documents
  readonly projections: readonly Projection[]
  readonly log: ProjectorLog
  /** how long `shows` waits at most; 2 s unless told */
  readonly showsWithinMs?: number
  /**
   * The views are read here: who writes elsewhere waits for them, and here for their other versions that are read
   * somewhere (ADR 51); not unless told
   */
  readonly isServing?: boolean
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
  /** the other versions of the views that are read somewhere */
  others: readonly ViewDefinition[]
  /** tells when those are late */
  readonly late: ReturnType<typeof rarely>
  /** ends when it is to stop */
  saying: Promise<void> | null
  /** what this process stored itself since the reading that is under way, or the last one, began */
  own: Map<string, ViewPlace>
  trouble: string | null
  isUnheard: boolean
  isReady: boolean
  /** how often views were put back from an older copy */
  copies: number
  astray: ViewsAstray | null
  /** a place that the log has come to; null: to be asked of it */
  known: Position | null
  /** whether the log was asked where it ends, and has not answered yet */
  isAskingHead: boolean
  /** when is looked next, as `performance.now` has it */
  due: number
  /** the same, while nobody waits */
  dueAnyway: number
  /** ends the pause before that; made anew each time */
  wake: AbortController
}

/** Where the log ends, read from now on; undefined while it does not say so. The first time it is waited for. */
const readHead = (at: Following): Promise<Position | null | undefined> => {
  if (at.isAskingHead) return Promise.resolve(undefined)
  at.isAskingHead = true
  const { promise, resolve } = Promise.withResolvers<Position | null | undefined>()
  const timer = at.seen === null ? undefined : setTimeout(resolve, headWithinMs, undefined)
  const answer = (head: Position | null | undefined): void => {
    at.isAskingHead = false
    clearTimeout(timer)
    resolve(head)
  }
  at.options.eventStore.head().then(answer, () => answer(undefined))
  return promise
}

/** Views that say they show what the log never had show nothing. Asked only where they have moved on. */
const lookForAstray = async (at: Following, reading: Reading): Promise<void> => {
  const { projections, log } = at.options
  const furthest = positionsIn(reading).reduce(further)
  if (furthest === null || (at.known !== null && furthest <= at.known)) {
    at.astray = null
    return
  }
  // Read after the places were. With the log away reading goes on, and nobody writes.
  const head = await readHead(at)
  if (head === undefined) return
  at.known = head !== null && furthest <= head ? head : null
  if (at.known !== null) at.astray = null
  else if (at.astray === null) {
    const ahead = projections.flatMap(({ view: { name } }) => {
      const place = positionIn(reading, name)
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

/** What was hidden since an older copy was made shows in it: where that is put back, all of the log has to be shown again first. */
const closeWhereOlder = (at: Following, reading: Reading): void => {
  if (at.options.isServing !== true || at.seen === null || !isOlder(reading, at.seen)) return
  at.isReady = false
  // A page made meanwhile may be of older documents, and would count as that of now once the views are there again.
  at.copies += 1
  // As one that was not heard of: it is opened in the same way.
  at.isUnheard = true
  at.options.log.warn(
    {},
    'MongoDB holds less than was shown here, as an older copy does: nothing is shown until all of the log is',
  )
}

/** Takes over what is known now, and tells whoever waits or listens. @param others where other versions of the views stand */
const learn = (at: Following, reading: Reading, others: Reading = new Map()): void => {
  const { audience, seen: before, options } = at
  at.seen = reading
  if (at.astray === null) audience.show((view) => positionIn(reading, view) ?? positionIn(others, view))
  if (before === null) return
  const changed = options.projections.filter(
    ({ view: { name } }) => reading.get(name)?.changedAt !== before.get(name)?.changedAt,
  )
  // All at once, as of the furthest: one by one, whoever hears of the first alone would be told of a place that the others are
  // shown up to as well, and come back behind them.
  const furthest = changed.map(({ view }) => positionIn(reading, view.name)).reduce(further, null)
  if (furthest !== null) audience.tell(changed, furthest)
}

const untilDue = async (at: Following): Promise<void> => {
  for (;;) {
    const ms = at.due - performance.now()
    if (ms <= 0 || at.signal.aborted) return
    await pause(ms, AbortSignal.any([at.wake.signal, at.signal]), { ref: false })
  }
}

/** Given, as an error is made for each signal that is aborted without a reason. */
const woken = 'woken'

/** Looks in so many ms at the latest. */
const lookWithin = (at: Following, ms: number): void => {
  const due = performance.now() + ms
  if (due >= at.due) return
  at.due = due
  at.wake.abort(woken)
  at.wake = new AbortController()
}

/** Looks again and again until it is stopped. */
const watch = async (at: Following): Promise<void> => {
  for (let waits = 0; ; ) {
    await untilDue(at)
    if (at.signal.aborted) return
    // Whoever was waiting then was answered meanwhile, by what this process stored itself.
    if (!at.audience.isWaiting() && performance.now() < at.dueAnyway) {
      at.due = at.dueAnyway
      continue
    }
    at.due = Number.POSITIVE_INFINITY
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
    at.dueAnyway = performance.now() + backoff
    lookWithin(at, at.audience.isWaiting() ? lookEveryMs : backoff)
  }
}

/** How a version of a view that is read elsewhere is called among those that are waited for. */
const nameOfOther = ({ name, version }: ViewDefinition): string => `${name} of version ${version}`

/** The views that a command waits for which wrote events of these types. */
const awaitedFor = (projections: readonly Projection[], types?: readonly string[]): readonly string[] =>
  projections
    .filter(({ handles, unawaited }) => {
      const taken: readonly string[] = handles
      return types === undefined || (unawaited !== true && types.some((type) => taken.includes(type)))
    })
    .map(({ view }) => view.name)

/** Where a command is answered late only because another version shows it late, whoever runs the site is told. */
const tellingOfLate = async (
  at: Following,
  wait: {
    readonly position: Position
    readonly awaited: readonly string[]
    readonly others: readonly string[]
    readonly answer: Promise<boolean>
  },
): Promise<boolean> => {
  const isShown = await wait.answer
  if (isShown) at.late.right('What another version shows is up to date again')
  // Not of a wait that ended because this process stops, or its views stand where the log has never been.
  else if (
    !at.signal.aborted &&
    at.astray === null &&
    wait.awaited.every((view) => (positionIn(at.seen, view) ?? '') >= wait.position)
  )
    at.late.wrong(
      'late',
      { views: wait.others },
      'A web process of another version shows what is late, which commands wait for: start its projector, or end it',
    )
  return isShown
}

/**
 * Follows views that projectors somewhere keep up to date: the stored checkpoints are the truth. Also right where one of
 * them is in this very process and may any time be in another.
 */
export const followViews = (options: FollowOptions): FollowedViews => {
  const { eventStore, documents, projections, log } = options
  const views = projections.map(({ view }) => view)
  const stopping = new AbortController()
  const { signal } = stopping
  const audience = openAudience(log)
  const at: Following = {
    options,
    audience,
    signal,
    look: shareReadings(async () => {
      at.own = new Map()
      const { own } = at
      const [reading, others] = await Promise.all([
        readPlaces(documents, views, ({ name }) => name),
        at.others.length === 0 ? undefined : readPlaces(documents, at.others, nameOfOther),
      ])
      await lookForAstray(at, reading)
      closeWhereOlder(at, withOwn(reading, own))
      learn(at, withOwn(reading, own), others)
      return reading
    }),
    seen: null,
    others: [],
    late: rarely(log),
    saying: null,
    own: new Map(),
    trouble: null,
    isUnheard: false,
    isReady: false,
    copies: 0,
    astray: null,
    known: null,
    isAskingHead: false,
    due: 0,
    dueAnyway: 0,
    wake: new AbortController(),
  }
  const watching = watch(at)
  const ready = becomeReady(at).then(() => {
    if (options.isServing === true) at.saying = goOnSaying(at)
  })
  // Who does not wait for it need not hear of it.
  ready.catch(() => undefined)

  return {
    ready,
    mayHaveMoved: (view) => {
      if (audience.isWaitingFor(view)) lookWithin(at, 0)
    },
    mayBeRead: () => at.isReady,
    stored: (view, place) => {
      if (at.seen === null || at.astray !== null) return
      at.own.set(view, place)
      learn(at, withOwn(at.seen, at.own))
    },
    version: async (names) => {
      const reading = await at.look()
      // Whoever came before it was closed.
      if (at.isUnheard && !at.isReady)
        throw new EngineAway('views', 'What is shown is not up to date just now. Please try again later')
      const textOf = (name: string): string => {
        const view = views.find((each) => each.name === name)
        const changedAt = reading.get(name)?.changedAt ?? null
        return view === undefined ? `${name}@` : versionOf(view, changedAt, at.copies)
      }
      return names.map(textOf).join(' ')
    },
    shows: (position, types) => {
      const { seen, known } = at
      if (signal.aborted || at.astray !== null) return Promise.resolve(false)
      const awaited = awaitedFor(projections, types)
      const others = at.others.filter(({ name }) => awaited.includes(name)).map(nameOfOther)
      if (
        others.length === 0 &&
        awaited.length > 0 &&
        awaited.every((view) => (positionIn(at.own, view) ?? '') >= position)
      )
        return Promise.resolve(true)
      // Shown before it was asked for: either the projector was quick, or what is shown is of another log.
      if (seen !== null && [...seen.keys()].some((view) => (positionIn(seen, view) ?? '') >= position))
        at.known = null
      else if (known !== null && position > known) at.known = position
      const answer = audience.waitFor(position, [...awaited, ...others], options.showsWithinMs ?? boundMs)
      lookWithin(at, lookEveryMs)
      return others.length === 0 ? answer : tellingOfLate(at, { position, awaited, others, answer })
    },
    onChange: audience.onChange,
    shownTo: () => (at.seen === null ? null : upToIn(at.seen)),
    astray: () => at.astray,
    lag: async () => {
      const reading = await at.look()
      const shown = views.map((view) => ({ view, position: positionIn(reading, view.name) }))
      const measured = await measureLag({ eventStore, documents }, shown)
      const { astray, trouble, isReady } = at
      return astray === null
        ? { state: isReady ? 'live' : 'catching-up', trouble, ...measured }
        : { state: 'astray', trouble: astrayInWords(astray.places), ...measured }
    },
    stop: async () => {
      stopping.abort(new Error('The process was stopped before it was ready'))
      audience.sendAway()
      await watching
      await at.saying
    },
  }
}
