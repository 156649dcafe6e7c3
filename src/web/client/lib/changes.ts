/**
 * Hears from the server which lists have changed: one stream for all tabs of this browser. The
 * tab that holds the lock listens and tells the others; a hidden tab gives the lock up.
 */
import { listenForChanges } from '#web/contract/addresses.ts'
import type { ChangedModel, ChangeNotice } from '#web/contract/changes.ts'
import { requestOf } from './api.ts'

type Listener = (models: readonly ChangedModel[]) => void
/** `dashboard` listeners come first: while there is one, those of the `page` below it are not called */
type Place = 'page' | 'dashboard'
type Post = { notice: ChangeNotice } | { reopen: true } | { opened: true }

const NAME = 'atelier-changes'

const listeners = new Map<Listener, Place>()
const openings = new Set<() => void>()
let hub: { reopen: () => void; close: () => void } | null = null

/**
 * Calls `listener` with the models that have changed, until the returned function is called.
 * @param version of the data that the page was rendered from: what has changed since comes first
 */
export function onChanges(listener: Listener, place: Place, version: string | null = null): () => void {
  listeners.set(listener, place)
  hub ??= open(tell, version)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    hub?.close()
    hub = null
  }
}

/**
 * Calls `listener` whenever this browser's stream was opened, the first time and anew: a stream ends with its
 * session, and the next one is a visitor's. Needs `onChanges` beside it, which opens the stream.
 */
export function onStreamOpened(listener: () => void): () => void {
  openings.add(listener)
  return () => void openings.delete(listener)
}

/** After login and log-out: a stream hears what its session may hear, so all tabs' stream begins anew. */
export function reopenChanges(): void {
  hub?.reopen()
}

function tell(models: readonly ChangedModel[]): void {
  const inFront = [...listeners.values()].includes('dashboard')
  for (const [listener, place] of listeners) {
    if (!inFront || place === 'dashboard') listener(models)
  }
}

function tellOpened(): void {
  for (const listener of openings) listener()
}

function open(onChange: Listener, version: string | null): { reopen: () => void; close: () => void } {
  const channel = new BroadcastChannel(NAME)
  const post = (message: Post): void => channel.postMessage(message)
  let last: string | null = null
  let turn: AbortController | null = null

  const take = ({ models, position }: ChangeNotice): void => {
    last = position
    // The first notice only says where the log stands.
    if (models.length > 0) onChange(models)
  }

  const known = (): string => {
    if (last === null && version !== null) return `page=${encodeURIComponent(version)}`
    return `after=${encodeURIComponent(last ?? '')}`
  }

  /** Holds the stream until the signal. What was missed comes first. */
  const listen = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const stream = new EventSource(`${requestOf(listenForChanges, {}).path}?${known()}`)
      stream.addEventListener('open', () => {
        post({ opened: true })
        tellOpened()
      })
      stream.addEventListener('change', ({ data }: MessageEvent<string>) => {
        // The contract's changeNotice.
        const notice = JSON.parse(data) as ChangeNotice
        // First, for whoever hears it may stop listening.
        post({ notice })
        take(notice)
      })
      const end = (): void => {
        stream.close()
        resolve()
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
    })

  const start = (): void => {
    if (turn) return
    const controller = new AbortController()
    turn = controller
    const { signal } = controller
    // Without Web Locks (an insecure origin) every tab listens for itself.
    if (!('locks' in navigator)) {
      void listen(signal)
      return
    }
    navigator.locks
      .request(NAME, { signal }, () => listen(signal))
      .catch((error: unknown) => {
        // Given up while waiting for its turn: that is what the signal is for.
        if (!signal.aborted) console.warn('Listening for changes failed', error)
      })
  }
  const stop = (): void => {
    turn?.abort()
    turn = null
  }
  const follow = (): void => {
    if (document.visibilityState === 'visible') start()
    else stop()
  }
  const restart = (): void => {
    stop()
    follow()
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Post>) => {
    if ('notice' in data) take(data.notice)
    else if ('opened' in data) tellOpened()
    else restart()
  })
  document.addEventListener('visibilitychange', follow)
  follow()
  return {
    reopen: () => {
      post({ reopen: true })
      restart()
    },
    close: () => {
      document.removeEventListener('visibilitychange', follow)
      stop()
      channel.close()
    },
  }
}
