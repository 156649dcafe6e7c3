import { listenForChanges } from '#web/contract/addresses.ts'
import type { ChangedModel, ChangeNotice } from '#web/contract/changes.ts'
import type { ChangeListener, ChangeStream, ListensFor } from '../lib/changes.ts'

type Post = { notice: ChangeNotice } | { reopen: true } | { opened: true }

const NAME = 'atelier-changes'
const ADDRESS = listenForChanges.slice('GET '.length)
/** ms until a stream is opened anew that a server or a proxy has refused; one that breaks off the browser opens anew */
const REFUSED_MS = 30_000

/**
 * The change stream: one for all tabs of this browser. The tab that holds the lock listens and tells the others; a
 * hidden tab gives the lock up.
 * @param version of the data that the page was rendered from: what has changed since comes first. Without one the first
 *   notice names everything, for nobody knows how old the lists are that were fetched before
 * @param wake called at a change that a page shows and nobody listens to yet; the first who does is told of it
 */
export function createChangeStream(
  version: string | null,
  wake: () => void,
): ChangeStream & { readonly open: () => void } {
  const listeners = new Map<ChangeListener, ListensFor>()
  const openings = new Set<() => void>()
  const channel = new BroadcastChannel(NAME)
  const post = (message: Post): void => channel.postMessage(message)
  let untold: ChangedModel[] = []
  let isOpen = false
  /** position up to which this page is told; null until it has asked by itself */
  let last: string | null = null
  /** it has asked since it was shown: what others post follows on that, and says nothing of what went before */
  let isTold = false
  let turn: AbortController | null = null

  const take = ({ models, position }: ChangeNotice): void => {
    if (isTold) last = position
    if (models.length === 0) return
    if (listeners.size === 0) {
      untold.push(...models)
      // The only public list that no page shows.
      if (models.some((model) => model !== 'mediums')) wake()
    }
    const isCovered = [...listeners.values()].includes('dashboard')
    for (const [listener, place] of listeners) if (!isCovered || place !== 'page') listener(models, position)
  }
  const tellOpened = (): void => {
    for (const listener of openings) listener()
  }

  const address = (): string => {
    const name = last === null && version !== null ? 'page' : 'after'
    return `${ADDRESS}?${name}=${encodeURIComponent(last ?? version ?? '')}`
  }
  /** Listens until the signal, or until the first notice. What was missed comes first. */
  const listen = (signal: AbortSignal, first = false): Promise<void> =>
    new Promise((resolve) => {
      const stream = new EventSource(address())
      const end = (): void => {
        stream.close()
        resolve()
      }
      stream.addEventListener('open', () => {
        if (first) return
        post({ opened: true })
        tellOpened()
      })
      stream.addEventListener('change', ({ data }: MessageEvent<string>) => {
        // The contract's changeNotice.
        const notice = JSON.parse(data) as ChangeNotice
        // What this page has missed, others have not.
        if (isTold) post({ notice })
        isTold = true
        take(notice)
        if (first) end()
      })
      stream.addEventListener('error', () => {
        if (stream.readyState === EventSource.CLOSED) setTimeout(restart, REFUSED_MS, signal)
      })
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
    })

  /** In turn with the other tabs. One that does not know yet how its page stands to the site asks once by itself. */
  const listenInTurn = async (signal: AbortSignal): Promise<void> => {
    const { locks } = navigator
    const listened = await locks.request(
      NAME,
      { ifAvailable: true },
      (lock) => lock && listen(signal).then(() => true),
    )
    if (listened) return
    if (!isTold) await listen(signal, true)
    await locks.request(NAME, { signal }, () => listen(signal))
  }

  const start = (): void => {
    if (turn) return
    turn = new AbortController()
    const { signal } = turn
    // Without Web Locks (an insecure origin) every tab listens for itself.
    const listening = 'locks' in navigator ? listenInTurn(signal) : listen(signal)
    listening.catch((error: unknown) => {
      // Given up while waiting for its turn: that is what the signal is for.
      if (!signal.aborted) console.warn(error)
    })
  }
  const stop = (): void => {
    turn?.abort()
    turn = null
    isTold = false
  }
  const follow = (): void => {
    if (document.visibilityState === 'visible') start()
    else stop()
  }
  /** @param of which turn; no other one is ended */
  const restart = (of = turn?.signal): void => {
    if (of?.aborted) return
    stop()
    follow()
  }
  const open = (): void => {
    if (isOpen) return
    isOpen = true
    channel.addEventListener('message', ({ data }: MessageEvent<Post>) => {
      if ('notice' in data) take(data.notice)
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
      if (untold.length > 0) listener(untold, last ?? '')
      untold = []
      return () => void listeners.delete(listener)
    },
    onOpened: (listener) => {
      openings.add(listener)
      return () => void openings.delete(listener)
    },
    reopen: () => {
      post({ reopen: true })
      restart()
    },
  }
}
