import { listenForChanges } from '#web/contract/addresses.ts'
import type { ChangedModel, ChangeNotice } from '#web/contract/changes.ts'
import type { ChangeListener, ChangeStream, ListensFor } from '../lib/changes.ts'
import { isListening, tabAfter, type TabEvent, type TabState } from './tab-state.ts'

/** What the tabs of a browser tell each other. */
type TabMessage = { notice: ChangeNotice } | { reopen: true } | { opened: true }

const NAME = 'atelier-changes'
const ADDRESS = listenForChanges.slice('GET '.length)
/** ms until a stream is opened anew that a server or a proxy has refused, which the browser never does (ADR 50) */
const REFUSED_MS = 30_000

/** Who in this tab is told of what, and what has changed before there was anybody. */
function createAudience() {
  const listeners = new Map<ChangeListener, ListensFor>()
  const openings = new Set<() => void>()
  let unheard: ChangedModel[] = []
  return {
    /** @returns whether somebody listens; else the first who does is told of it */
    tell: (models: readonly ChangedModel[], position: string): boolean => {
      if (listeners.size === 0) unheard.push(...models)
      const isCovered = [...listeners.values()].includes('dashboard')
      for (const [listener, place] of listeners)
        if (!isCovered || place !== 'page') listener(models, position)
      return listeners.size > 0
    },
    tellOpened: () => {
      for (const listener of openings) listener()
    },
    add: (listener: ChangeListener, place: ListensFor, knownTo: string): (() => void) => {
      listeners.set(listener, place)
      if (unheard.length > 0) listener(unheard, knownTo)
      unheard = []
      return () => void listeners.delete(listener)
    },
    onOpened: (listener: () => void): (() => void) => {
      openings.add(listener)
      return () => void openings.delete(listener)
    },
  }
}

type StreamListener = {
  opened: () => void
  /** @param end closes the stream */
  told: (notice: ChangeNotice, end: () => void) => void
  refused: () => void
}

/** Opens a stream; resolves when it was closed, by the signal or by who listens. */
async function streamUntil(signal: AbortSignal, query: string, listener: StreamListener): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve) => {
    const stream = new EventSource(`${ADDRESS}?${query}`)
    const end = (): void => {
      stream.close()
      resolve()
    }
    stream.addEventListener('open', listener.opened)
    stream.addEventListener('change', ({ data }: MessageEvent<string>) => {
      // The contract's changeNotice.
      listener.told(JSON.parse(data) as ChangeNotice, end)
    })
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) listener.refused()
    })
    signal.addEventListener('abort', end)
  })
}

/** Of all tabs that take turns one listens; another catches up by itself, and waits until that one has ended. */
async function takeTurns(
  signal: AbortSignal,
  listen: () => Promise<void>,
  catchUp: () => Promise<void>,
): Promise<void> {
  const { locks } = navigator
  const hasListened = await locks.request(
    NAME,
    { ifAvailable: true },
    (lock) => lock && listen().then(() => true),
  )
  if (hasListened) return
  await catchUp()
  await locks.request(NAME, { signal }, listen)
}

/**
 * The change stream: one for all tabs of this browser. The tab that holds the lock listens and tells the others; a
 * hidden tab gives the lock up.
 * @param pageVersion of the data that the page was rendered from: what has changed since comes first. Without one the
 *   first notice names everything, for nobody knows how old the lists are that were fetched before
 * @param wake called at a change that a page shows and nobody listens to yet; the first who does is told of it
 */
export function createChangeStream(
  pageVersion: string | null,
  wake: () => void,
): ChangeStream & { readonly open: () => void } {
  const audience = createAudience()
  const channel = new BroadcastChannel(NAME)
  const post = (message: TabMessage): void => channel.postMessage(message)
  let tab: TabState = { at: 'unopened', knownTo: null, isAnew: false }
  /** ends the listening of this tab, or its waiting for the lock */
  let listening = new AbortController()
  /** settles when this tab has let go of the lock */
  let hasEnded: Promise<unknown> = Promise.resolve()

  const move = (event: TabEvent): void => {
    const wasListening = isListening(tab)
    tab = tabAfter(tab, event)
    if (isListening(tab) === wasListening) return
    if (wasListening) listening.abort()
    else start()
  }
  const hear = (type: 'told' | 'posted', { models, position }: ChangeNotice): void => {
    move({ type, position })
    if (models.length === 0 || audience.tell(models, position)) return
    // The only public list that no page shows. A hidden page is woken by what it catches up with once it is shown.
    if (isListening(tab) && models.some((model) => model !== 'mediums')) wake()
  }
  const opened = (): void => {
    if (tab.isAnew) audience.tellOpened()
    move({ type: 'opened' })
  }

  const query = (): string => {
    const name = tab.knownTo === null && pageVersion !== null ? 'page' : 'after'
    return `${name}=${encodeURIComponent(tab.knownTo ?? pageVersion ?? '')}`
  }
  const start = (): void => {
    listening = new AbortController()
    const { signal } = listening
    const refused = (): void => {
      setTimeout(() => signal.aborted || restart(), REFUSED_MS)
    }
    const listen = (): Promise<void> =>
      streamUntil(signal, query(), {
        refused,
        opened: () => {
          post({ opened: true })
          opened()
        },
        told: (notice) => {
          // What this page has missed, others have not.
          if (tab.at === 'told') post({ notice })
          hear('told', notice)
        },
      })
    const catchUp = async (): Promise<void> => {
      if (tab.at === 'told') return
      await streamUntil(signal, query(), {
        refused,
        opened: () => move({ type: 'opened' }),
        told: (notice, end) => {
          hear('told', notice)
          end()
        },
      })
    }
    // Without Web Locks (an insecure origin) every tab listens for itself.
    const ending = 'locks' in navigator ? hasEnded.then(() => takeTurns(signal, listen, catchUp)) : listen()
    hasEnded = ending.catch((error: unknown) => {
      // Given up while waiting for its turn: that is what the signal is for.
      if (!signal.aborted) console.warn(error)
    })
  }

  const follow = (): void => move({ type: document.visibilityState === 'visible' ? 'shown' : 'hidden' })
  const restart = (): void => {
    move({ type: 'hidden' })
    follow()
  }
  const open = (): void => {
    if (tab.at !== 'unopened') return
    move({ type: 'wanted' })
    channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
      if ('notice' in data) hear('posted', data.notice)
      else if ('opened' in data) opened()
      else restart()
    })
    addEventListener('visibilitychange', follow)
    follow()
  }

  return {
    open,
    onChanges: (listener, place) => {
      const remove = audience.add(listener, place, tab.knownTo ?? '')
      open()
      return remove
    },
    onOpened: audience.onOpened,
    reopen: () => {
      post({ reopen: true })
      move({ type: 'reopened' })
      restart()
    },
  }
}
