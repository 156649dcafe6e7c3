import { reasonOf } from '#application/kernel/reason.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Documents, ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { EventStore, Position } from '#application/kernel/ports/event-store.ts'
import { astrayInWords, ViewsAstray } from './astray.ts'
import { openAudience } from './audience.ts'
import { measureLag } from './lag.ts'
import type { Projection } from './projection.ts'
import { keyOf, type LastChange, lastChanges } from './view-versions.ts'
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

/** One reading of the checkpoints. */
interface Reading {
  /** every view shows the log up to here */
  readonly upTo: Position | null
  readonly places: readonly (Position | null)[]
  /** by view name: the same text always means the same documents */
  readonly versions: ReadonlyMap<string, string>
}

/** Reads where the views stand and when each last changed. Each call begins after the one before has ended. */
const openReader = (
  documents: Pick<Documents, 'checkpoints' | 'getMany'>,
  views: readonly ViewDefinition[],
): (() => Promise<Reading>) => {
  const ids = views.map(keyOf)
  let before: Position | null | undefined

  const changesOf = (): Promise<readonly LastChange[]> => documents.getMany<LastChange>(lastChanges, ids)

  return async () => {
    const [[own = null, ...places], early] = await Promise.all([
      documents.checkpoints([lastChanges, ...views]),
      changesOf(),
    ])
    // What was read beside the checkpoints may be older than they: it will do where they have not moved.
    const changes = own === before ? early : await changesOf()
    before = own
    const known = new Map(changes.map(({ id, changedAt }) => [id, changedAt]))
    const isOlder = (changedAt: string): boolean =>
      own !== null && (changedAt <= own || changedAt.startsWith(`${own}+`))
    const versions = views.map((view, n) => {
      const place = places[n] ?? null
      const noted = known.get(keyOf(view))
      // While a batch is being stored the place itself tells documents apart; it is never too early.
      const changedAt = place === own && noted !== undefined && isOlder(noted) ? noted : (place ?? '')
      return [view.name, `${keyOf(view)}:${changedAt}`] as const
    })
    const all = [own, ...places]
    const upTo = all.reduce((a, b) => (a === null || b === null || a < b ? a : b), own)
    return { upTo, places, versions: new Map(versions) }
  }
}

/**
 * Lets those who ask share one reading: each gets one that began after it asked, and no two are under way.
 */
const shareReadings = (read: () => Promise<Reading>): (() => Promise<Reading>) => {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<Reading> | null = null
  return () => {
    if (next !== null) return next
    const begin = (): Promise<Reading> => {
      next = null
      return read()
    }
    next = current.then(begin, begin)
    current = next
    return next
  }
}

/**
 * Follows views that a projector somewhere keeps up to date: the stored checkpoints are the truth. Also right where the projector is in this very process and may any time be in another.
 * @param options.showsWithinMs how long `shows` waits at most; 2 s unless told
 */
export const followViews = (options: {
  readonly eventStore: Pick<EventStore, 'head' | 'readAll'>
  readonly documents: Documents
  readonly projections: readonly Projection[]
  readonly log: ProjectorLog
  readonly showsWithinMs?: number
}): FollowedViews => {
  const { eventStore, documents, projections, log } = options
  const within = options.showsWithinMs ?? boundMs
  const views = projections.map(({ view }) => view)
  const stopping = new AbortController()
  const { signal } = stopping
  const audience = openAudience(log)
  let seen: Reading | null = null
  let trouble: string | null = null
  let isReady = false
  let astray: ViewsAstray | null = null
  /** a place that the log has come to; null: to be asked of it */
  let known: Position | null = null
  let wake = Promise.withResolvers<void>()

  const tell = (reading: Reading, before: Reading): void => {
    const changed = projections.filter(
      ({ view: { name } }) => reading.versions.get(name) !== before.versions.get(name),
    )
    if (reading.upTo !== null) audience.tell(changed, reading.upTo)
  }

  /** Views that say they show what the log never had show nothing. Asked only where they have moved on. */
  const lookForAstray = async ({ places }: Reading): Promise<void> => {
    const furthest = places.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null)
    if (furthest === null || (known !== null && furthest <= known)) {
      astray = null
      return
    }
    // Read after the places were. With the log away reading goes on, and nobody writes.
    const head = await eventStore.head().catch(() => undefined)
    if (head === undefined) return
    if (head !== null && furthest <= head) {
      known = head
      astray = null
      return
    }
    known = null
    if (astray === null) {
      const ahead = views.flatMap(({ name }, n) => {
        const place = places[n] ?? null
        return place !== null && (head === null || place > head) ? [[name, place] as const] : []
      })
      astray = new ViewsAstray(new Map(ahead))
      log.error(
        { places: Object.fromEntries(ahead) },
        `${astrayInWords(astray.places)}. Until then nothing is saved`,
      )
      audience.sendAway()
    }
  }

  const take = async (reading: Reading): Promise<Reading> => {
    await lookForAstray(reading)
    const before = seen
    seen = reading
    if (reading.upTo !== null && astray === null) audience.show(reading.upTo)
    if (before !== null) tell(reading, before)
    return reading
  }

  const read = openReader(documents, views)
  const look = shareReadings(async () => take(await read()))

  const rest = async (ms: number): Promise<void> => {
    const { promise } = wake
    const cut = new AbortController()
    await Promise.race([
      promise,
      pause(ms, undefined, { signal: AbortSignal.any([cut.signal, signal]), ref: false }).catch(
        () => undefined,
      ),
    ])
    cut.abort()
  }

  const hurry = (): void => {
    wake.resolve()
    wake = Promise.withResolvers()
  }

  const watch = async (): Promise<void> => {
    let waits = 0
    while (!signal.aborted) {
      try {
        await look()
        trouble = null
        waits = 0
      } catch (thrown) {
        waits += 1
        trouble = reasonOf(thrown)
        if (waits === 1 && !signal.aborted)
          log.warn({ err: thrown }, 'The read models cannot be followed; trying again')
      }
      const calm = Math.min(lookAnywayMs * 2 ** waits, longestPauseMs)
      await rest(audience.isWaiting() ? lookEveryMs : calm)
    }
  }

  const becomeReady = async (): Promise<void> => {
    for (let wait = lookEveryMs; !signal.aborted; wait = Math.min(2 * wait, longestPauseMs)) {
      try {
        const head = await eventStore.head()
        while (!signal.aborted && head !== null && ((await look()).upTo ?? '') < head) await rest(lookEveryMs)
        isReady = !signal.aborted
        return
      } catch (thrown) {
        // The engines are closed under a process that ends.
        if (signal.aborted) return
        log.warn({ err: thrown, retryInMs: wait }, 'The start waits for an engine')
        await rest(wait)
      }
    }
  }

  const watching = watch()
  const ready = becomeReady().then(() => {
    if (!isReady) throw new Error('The process was stopped before it was ready')
  })
  // Who does not wait for it need not hear of it.
  ready.catch(() => undefined)

  return {
    ready,
    hurry,
    version: async (names) => {
      const { versions } = await look()
      return names.map((name) => versions.get(name) ?? `${name}@`).join(' ')
    },
    shows: (position) => {
      if (signal.aborted) return Promise.resolve(false)
      if (astray !== null) return Promise.resolve(false)
      // Shown before it was asked for: either the projector was quick, or what is shown is of another log.
      if (seen !== null && seen.upTo !== null && seen.upTo >= position) known = null
      else if (known !== null && position > known) known = position
      const answer = audience.waitFor(position, within)
      hurry()
      return answer
    },
    onChange: audience.onChange,
    astray: () => astray,
    lag: async () => {
      const { places } = await look()
      const measured = await measureLag(
        { eventStore, documents },
        views.map((view, n) => ({ view, position: places[n] ?? null })),
      )
      const state = isReady ? 'live' : 'catching-up'
      return astray === null
        ? { state, trouble, lastBatchAt: null, ...measured }
        : { state: 'astray', trouble: astrayInWords(astray.places), lastBatchAt: null, ...measured }
    },
    stop: async () => {
      stopping.abort()
      hurry()
      audience.sendAway()
      await watching
    },
  }
}
