import { listenForChanges } from '#web/contract/addresses.ts'
import type { ChangedModel, ChangeNotice } from '#web/contract/changes.ts'
import type { ChangeListener, ChangeStream, ListensFor } from '../lib/changes.ts'
import { ASKING, HIDDEN, tabAfter, type TabState, TOLD, UNOPENED } from './tab-state.ts'

/** What the tabs of a browser tell each other. */
type TabMessage = { notice: ChangeNotice } | { reopen: true } | { opened: true }

const NAME = 'atelier-changes'
const ADDRESS = listenForChanges.slice('GET '.length)
/** ms until a stream is opened anew that a server or a proxy has refused, which the browser never does (ADR 50) */
const REFUSED_MS = 30_000

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
  const listeners = new Map<ChangeListener, ListensFor>()
  const openings = new Set<() => void>()
  let channel: BroadcastChannel | undefined
  try {
    channel = new BroadcastChannel(NAME)
  } catch {
    // Firefox has none for a site that may keep nothing: no tab knows of another one.
  }
  const post = (message: TabMessage): void => channel?.postMessage(message)
  /** what has changed before anybody listened */
  let unheard: ChangedModel[] = []
  let tab: TabState = UNOPENED
  /** position up to which no change is missed here; null until a stream of this tab has told of what it missed */
  let knownTo: string | null = null
  /** the next stream is one more, and follows no login or log-out of this tab */
  let isAnew = false
  /** ends the listening of this tab, or its waiting for the lock */
  let listening: AbortController | undefined
  /** settles when this tab has let go of the lock */
  let hasEnded: Promise<unknown> = Promise.resolve()

  const hear = ({ models, position }: ChangeNotice): void => {
    if (tab > ASKING) knownTo = position
    if (models.length === 0) return
    if (listeners.size === 0) {
      unheard.push(...models)
      // The only public list that no page shows. A hidden page is woken by what it catches up with once it is shown.
      if (tab > HIDDEN && models.some((model) => model !== 'mediums')) wake()
    }
    const isCovered = [...listeners.values()].includes('dashboard')
    for (const [listener, place] of listeners) if (!isCovered || place !== 'page') listener(models, position)
  }
  const tellOpened = (): void => {
    if (isAnew) for (const listener of openings) listener()
    isAnew = true
  }

  /**
   * Opens a stream until the signal. What was missed comes first.
   * @param isOnlyToCatchUp closes it after that
   */
  const listen = async (signal: AbortSignal, isOnlyToCatchUp = false): Promise<void> => {
    signal.throwIfAborted()
    await new Promise<void>((resolve) => {
      const name = knownTo === null && pageVersion !== null ? 'page' : 'after'
      const stream = new EventSource(`${ADDRESS}?${name}=${encodeURIComponent(knownTo ?? pageVersion ?? '')}`)
      const end = (): void => {
        stream.close()
        resolve()
      }
      stream.addEventListener('open', () => {
        if (isOnlyToCatchUp) isAnew = true
        else {
          post({ opened: true })
          tellOpened()
        }
      })
      stream.addEventListener('change', ({ data }: MessageEvent<string>) => {
        // The contract's changeNotice.
        const notice = JSON.parse(data) as ChangeNotice
        // What this page has missed, others have not.
        if (tab > ASKING) post({ notice })
        become(TOLD)
        hear(notice)
        if (isOnlyToCatchUp) end()
      })
      stream.addEventListener('error', () => {
        if (stream.readyState === EventSource.CLOSED) setTimeout(restart, REFUSED_MS, signal)
      })
      signal.addEventListener('abort', end)
    })
  }

  /** Listens for all tabs, or catches up by itself while another one does and then waits for its turn. */
  const listenInTurn = async (signal: AbortSignal): Promise<void> => {
    const { locks } = navigator
    const hasListened = await locks.request(
      NAME,
      { ifAvailable: true },
      (lock) => lock && listen(signal).then(() => true),
    )
    if (hasListened) return
    if (tab < TOLD) await listen(signal, true)
    await locks.request(NAME, { signal }, () => listen(signal))
  }
  const become = (next: TabState): void => {
    const before = tab
    tab = next
    if (next < ASKING) listening?.abort()
    else if (before < ASKING) {
      const { signal } = (listening = new AbortController())
      // Without Web Locks (an insecure origin, a site that may keep nothing) every tab listens for itself.
      const alone = (): Promise<void> => listen(signal)
      const ending = 'locks' in navigator ? hasEnded.then(() => listenInTurn(signal)).catch(alone) : alone()
      hasEnded = ending.catch((error: unknown) => {
        // Given up while waiting for its turn: that is what the signal is for.
        if (!signal.aborted) console.warn(error)
      })
    }
  }
  const follow = (): void => become(tabAfter(tab, document.hidden))
  /** @param signal of what is to end; nothing happens where that has ended before */
  const restart = (signal?: AbortSignal): void => {
    if (signal?.aborted) return
    become(HIDDEN)
    follow()
  }
  const open = (): void => {
    if (tab > UNOPENED) return
    channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
      if ('notice' in data) hear(data.notice)
      else if ('opened' in data) tellOpened()
      else restart()
    })
    addEventListener('visibilitychange', follow)
    follow()
  }

  return {
    open,
    onChanges: (listener, place) => {
      listeners.set(listener, place)
      open()
      if (unheard.length > 0) listener(unheard, knownTo ?? '')
      unheard = []
      return () => void listeners.delete(listener)
    },
    onOpened: (listener) => {
      openings.add(listener)
      return () => void openings.delete(listener)
    },
    reopen: () => {
      post({ reopen: true })
      isAnew = false
      restart()
    },
  }
}
