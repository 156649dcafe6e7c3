import type { Logger } from '#application/kernel/ports/logger.ts'
import { rarely } from '#application/kernel/rarely.ts'
import { doneOnce } from '#application/kernel/sharing.ts'
import type { Writable } from 'node:stream'
import type { Account } from '#application/kernel/ports/accounts.ts'
import type { EventStore } from '#application/kernel/ports/event-store.ts'
import { type ChangedModel, ownerModels, publicModels } from '#web/contract/changes.ts'
import type { ChangeSource } from '../door/ports.ts'

const heartbeatMs = 25_000
const mostStreams = 1_000
/** Of all places these are for sessions only: strangers who take the rest must not make the dashboard deaf. */
const keptForSessions = 50
/** One address has at most so many without a session, and as many with one. */
const mostOfAddress = 20
/** Changes remembered for readers that come back. */
const remembered = 1_000
/** Jobs report each step; readers hear of them at most this often. */
const jobsEveryMs = 500
/** A reader that does not take in what is sent to it is let go. */
const mostUnread = 256 * 1024

const allModels: readonly ChangedModel[] = [...publicModels, ...ownerModels]
const publicNames: ReadonlySet<ChangedModel> = new Set(publicModels)
const isPublic = (model: ChangedModel): boolean => publicNames.has(model)

/**
 * What a reader knows already: of everything up to a position, or of what its page shows, by the version of the
 * page's data. An empty position is that of a reader that cannot say: its lists may have been fetched before any
 * change that it does not hear of.
 */
export type Known = { readonly upTo: string; readonly asks?: boolean } | { readonly page: string }

/** What the dashboard shows of an account. */
type AccountState = Pick<Account, 'firstPassword' | 'firstStepsAway'>

const inOne = (account: AccountState | null): string | null =>
  account && `${account.firstPassword} ${account.firstStepsAway}`

/** Who listens, and from where. */
export interface Listening {
  /** under what the reader's address is counted */
  readonly address: string
  /** how to learn what her account is by now, null once the session has ended; null for a visitor */
  readonly owner: { readonly account: () => Promise<AccountState | null> } | null
}

interface Stream extends Listening {
  readonly to: Writable
  /**
   * what has changed while it is looked what was missed before; null once that was told. A position that comes first would
   * say that nothing was missed, to whoever breaks off then.
   */
  held: Set<ChangedModel> | null
  /** how her account stood when it was last asked for; null before that */
  accountState: string | null
}

interface StreamDeps {
  readonly changes: ChangeSource
  /** calls back soon after a job's state or progress changed; answers how to stop it */
  readonly onJobs: (listener: () => void) => () => void
  readonly eventStore: Pick<EventStore, 'head'>
  readonly log: Logger
}

/** The open change streams of one process. */
export interface ChangeStreams {
  /** There are as many as a process may have, or an address; no more are opened for this one. */
  readonly isFull: (whom: Listening) => boolean
  /**
   * Begins to send.
   * @param known null for a reader that only wants to hear of what comes
   */
  readonly open: (to: Writable, whom: Listening, known: Known | null) => Promise<void>
  /**
   * Looks at the accounts behind the owner's streams: ends those whose session has ended, and tells of those that were
   * changed. Of other processes nothing else tells, hence it is done from time to time as well.
   */
  readonly lookAtAccounts: () => Promise<void>
  readonly close: () => void
}

/** Before every position. */
const beforeAll = '0'

const textOf = (models: readonly ChangedModel[], position: string): string =>
  `id: ${position}\nevent: change\ndata: ${JSON.stringify({ models, position })}\n\n`

/** Visitors and sessions are counted apart: whoever shares her address must not take her places either. */
const hasRoom = (streams: ReadonlySet<Stream>, { address, owner }: Listening): boolean => {
  const alike = [...streams].filter((stream) => (stream.owner === null) === (owner === null))
  const places = owner === null ? mostStreams - keptForSessions : mostStreams
  const taken = owner === null ? alike.length : streams.size
  return taken < places && alike.filter((stream) => stream.address === address).length < mostOfAddress
}

const heardBy = ({ owner }: Listening, models: readonly ChangedModel[]): readonly ChangedModel[] =>
  owner === null ? models.filter(isPublic) : models

/**
 * Remembers the newest changes that one kind of reader (owner or visitor) may hear of, for readers that come back. Only
 * these changes move the position that such readers are told.
 * @param shownTo up to where every view shows the log
 * @param askNewest the position of the newest change of this kind, or one behind it; empty where there is none
 */
const rememberChanges = (
  shownTo: ChangeSource['shownTo'],
  askNewest: () => Promise<string>,
  log: Pick<Logger, 'warn' | 'info'>,
) => {
  const recent: { readonly position: string; readonly models: readonly ChangedModel[] }[] = []
  let newest = ''
  /** from this position on every change is in `recent`; null while nobody can say */
  let knownFrom: string | null = null
  const troubles = rarely(log)
  const beginOnce = doneOnce(async () => {
    const position = await askNewest()
    if (position > newest) newest = position
    knownFrom = position
  })
  return {
    /** Takes the position of the newest change, unless one behind it was added meanwhile. Asked again where that failed. */
    begin: (): Promise<void> =>
      beginOnce().then(
        () => troubles.right('The place in the log is known'),
        (error: unknown) => troubles.wrong('begin', { err: error }, 'The place in the log is not known yet'),
      ),
    /**
     * The position of the newest change. Another process may keep a view that is not that far yet, so a change at an earlier
     * position may still come: then the position up to which every view shows the log is added behind a space.
     */
    newest: (): string => {
      const all = shownTo() ?? beforeAll
      return all < newest ? `${newest} ${all}` : newest
    },
    add: (position: string, models: readonly ChangedModel[]): void => {
      if (models.length === 0) return
      if (position > newest) newest = position
      recent.push({ position, models })
      const forgotten = recent.length > remembered ? recent.shift() : undefined
      if (forgotten !== undefined && knownFrom !== null && forgotten.position > knownFrom)
        knownFrom = forgotten.position
    },
    /**
     * What has changed since; everything where that lies too far back, or nobody can say. Or behind the newest change: then it
     * was told of another log, in whose place an older copy was put.
     */
    since: (last: string): readonly ChangedModel[] => {
      const heardTo = last.split(' ').at(-1) ?? ''
      return knownFrom === null || heardTo < knownFrom || heardTo > newest
        ? allModels
        : [...new Set(recent.filter(({ position }) => position > heardTo).flatMap(({ models }) => models))]
    },
  }
}

/** The streams that are open. @param newest the position that a reader is told */
const openStreams = (newest: (whom: Listening) => string) => {
  const streams = new Set<Stream>()
  const write = (stream: Stream, text: string): void => {
    if (stream.to.writableLength > mostUnread) {
      streams.delete(stream)
      stream.to.destroy()
    } else stream.to.write(text)
  }
  const tell = (stream: Stream, models: readonly ChangedModel[]): void => {
    const heard = heardBy(stream, models)
    if (stream.held !== null) for (const model of heard) stream.held.add(model)
    else if (heard.length > 0) write(stream, textOf(heard, newest(stream)))
  }
  /** @param asks the reader gets an answer even when nothing changed */
  const tellMissed = (stream: Stream, models: readonly ChangedModel[], asks = false): void => {
    const missed = [...new Set([...models, ...(stream.held ?? [])])]
    stream.held = null
    if (streams.has(stream) && (asks || missed.length > 0)) write(stream, textOf(missed, newest(stream)))
  }
  const end = (stream: Stream): void => {
    streams.delete(stream)
    stream.to.end()
  }
  return { streams, write, tell, tellMissed, end }
}

export const createChangeStreams = (deps: StreamDeps): ChangeStreams => {
  const { changes, onJobs, eventStore, log } = deps
  const hers = rememberChanges(changes.shownTo, async () => (await eventStore.head()) ?? '', log)
  // The same in every process, and no sign of what they may not hear of.
  const visitors = rememberChanges(changes.shownTo, changes.newestForVisitors, log)
  const changesFor = ({ owner }: Listening) => (owner === null ? visitors : hers)
  const { streams, write, tell, tellMissed, end } = openStreams((whom) => changesFor(whom).newest())
  const troubles = rarely(log)
  let jobsTimer: NodeJS.Timeout | null = null
  let closed = false

  const stopChanges = changes.onChange(({ models, position }) => {
    if (position !== null) {
      hers.add(position, models)
      visitors.add(position, models.filter(isPublic))
    }
    for (const stream of streams) tell(stream, models)
  })

  const stopJobs = onJobs(() => {
    if (jobsTimer !== null || closed) return
    jobsTimer = setTimeout(() => {
      jobsTimer = null
      for (const stream of streams) tell(stream, ['jobs'])
    }, jobsEveryMs)
    jobsTimer.unref()
  })

  void hers.begin()
  void visitors.begin()

  const lookAtAccount = async (stream: Stream): Promise<void> => {
    if (stream.owner === null) return
    try {
      const accountState = inOne(await stream.owner.account())
      if (accountState === null) end(stream)
      else if (stream.accountState !== null && stream.accountState !== accountState) tell(stream, ['status'])
      stream.accountState = accountState
    } catch (error) {
      log.warn({ err: error }, 'A session cannot be looked up; its stream stays for now')
    }
  }

  const lookAtAccounts = async (): Promise<void> => {
    await Promise.all([...streams].map(lookAtAccount))
  }

  const heartbeat = setInterval(() => {
    for (const stream of streams) write(stream, ': here\n\n')
    void lookAtAccounts()
  }, heartbeatMs)
  heartbeat.unref()

  /** What has changed of a page since it was rendered, and where the log stands; the owner's lists are not in it. */
  const renew = async (stream: Stream, page: string): Promise<void> => {
    try {
      const models = (await changes.since(page)).filter(isPublic)
      troubles.right('Whether a page is up to date can be told again')
      tellMissed(stream, [...models, ...(stream.owner === null ? [] : ownerModels)], true)
    } catch (error) {
      troubles.wrong('since', { err: error }, 'Whether a page is up to date cannot be told')
      // Its reader comes again by itself, and is told then.
      end(stream)
    }
  }

  return {
    isFull: (whom) => closed || !hasRoom(streams, whom),
    open: async (to, whom, known) => {
      const stream: Stream = { to, ...whom, held: known === null ? null : new Set(), accountState: null }
      streams.add(stream)
      to.once('close', () => streams.delete(stream))
      to.write(': here\n\n')
      await Promise.all([changesFor(stream).begin(), lookAtAccount(stream)])
      if (known === null || !streams.has(stream)) return
      if ('page' in known) await renew(stream, known.page)
      else tellMissed(stream, heardBy(stream, changesFor(stream).since(known.upTo)), known.asks)
    },
    lookAtAccounts,
    close: () => {
      closed = true
      clearInterval(heartbeat)
      if (jobsTimer !== null) clearTimeout(jobsTimer)
      stopChanges()
      stopJobs()
      for (const stream of streams) end(stream)
    },
  }
}
