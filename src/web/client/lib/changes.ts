/**
 * Hears from the server which lists have changed (decisions 97): one stream for all tabs of this browser. The
 * tab that holds the lock listens and tells the others; a hidden tab gives the lock up.
 */
import type { ChangedModel, ChangeNotice } from '#web/contract/changes.ts'

type Listener = (models: readonly ChangedModel[]) => void

const NAME = 'atelier-changes'

/**
 * Calls `onChange` with the models that have changed, until the returned function is called.
 * Without Web Locks (an insecure origin) every tab listens for itself.
 */
export function listenForChanges(onChange: Listener): () => void {
  const channel = new BroadcastChannel(NAME)
  let last: string | null = null
  let turn: AbortController | null = null

  const take = ({ models, position }: ChangeNotice): void => {
    last = position
    onChange(models)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<ChangeNotice>) => take(data))

  const listen = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const stream = new EventSource(last === null ? '/api/changes' : `/api/changes?after=${last}`)
      stream.addEventListener('change', ({ data }: MessageEvent<string>) => {
        // The contract's changeNotice.
        const notice = JSON.parse(data) as ChangeNotice
        take(notice)
        channel.postMessage(notice)
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
  document.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stop()
    channel.close()
  }
}
