import './react.ts'
import './styles/base.css'
import { hydrateRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { readBoot, standsAt } from './app/boot.ts'
import { historyBehind, holdSteps } from './app/hold-steps.ts'
import { NotFoundPage } from './app/not-found-page.tsx'
import { READY_EVENT } from './app/ready-event.ts'
import { stateOf } from './lib/page-data.ts'
import { createPageStore } from './lib/page-store.ts'
import { createSessionStore } from './lib/session.ts'
import { makeRouter } from './router.tsx'

/**
 * Takes over the page that the server sent. A function rather than awaits at the top of the module: with
 * those the bundler may not merge what entry and later chunks share into one file.
 */
async function takeOver(): Promise<void> {
  const boot = readBoot(document)
  const container = document.getElementById('app')
  if (!container) throw new Error('The page has no #app')
  if (boot.kind === 'not-found') {
    hydrateRoot(container, <NotFoundPage artistName={boot.artistName} />)
    fetchOtherAddresses()
    return
  }
  const session = createSessionStore(document.documentElement.hasAttribute('data-session'))
  const store = createPageStore({
    isPublic: boot.isPublic,
    ...(boot.data ? { initial: stateOf(boot.data) } : {}),
    whole: boot.described,
    loader: async () => (await import('./lib/page-queries.ts')).queryLoader,
  })
  // The answer to a refused letter stands at the form's own address, which is no page: a reload must find one.
  if (boot.contact?.status === 'refused') history.replaceState(history.state, '', `${boot.address}#contact`)
  const isBehind = !standsAt(boot.address, new URL(location.href))
  const steps = holdSteps(isBehind)
  const router = makeRouter(isBehind ? historyBehind(boot.address, steps) : undefined)
  // The matches must be there before the first render, or it would differ from the server's.
  await router.load()
  const pictures = boot.data?.pictures ?? {}
  const takenOver = new Promise<void>((resolve) => {
    const onTakenOver = (): void => {
      steps.letThrough()
      resolve()
    }
    hydrateRoot(
      container,
      <App
        router={router}
        store={store}
        session={session}
        contact={boot.contact}
        pictures={pictures}
        onTakenOver={onTakenOver}
      />,
    )
  })
  if (session.get().status === 'loading') void session.refresh()
  if (boot.data) fetchAhead()
  whenIdle(() => {
    import('./lib/follow-changes.ts')
      .then(({ followChanges }) => followChanges(store, boot.data?.version ?? null))
      .catch((error: unknown) => console.warn('Changes are not followed', error))
  })
  return takenOver
}

/**
 * A page that was taken down may stand in one document with others, when it was met there and loaded again. Without
 * a router, Back to one of those is a matter of the server.
 */
function fetchOtherAddresses(): void {
  // Some browsers only call it "document", which is no address.
  const [arrival] = performance.getEntriesByType('navigation')
  const made = arrival?.name.startsWith(location.origin) ? new URL(arrival.name).pathname : location.pathname
  const look = (): void => {
    if (location.pathname !== made) location.reload()
  }
  addEventListener('popstate', look)
  look()
}

/** After everything that somebody waits for; browsers without idle callbacks get a plain delay. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5_000 })
  else setTimeout(work, 2_000)
}

/** The chunk of the open work, at the first sign that somebody means to use the page. */
function fetchAhead(): void {
  const signs = ['pointerover', 'touchstart', 'focusin', 'keydown'] as const
  const controller = new AbortController()
  const fetchNow = (): void => {
    controller.abort()
    // Only ahead of time: when it fails here, opening a work tries again and tells.
    import('./app/artwork-page.tsx').catch((error: unknown) => console.warn('Fetching ahead failed', error))
  }
  for (const sign of signs) {
    document.addEventListener(sign, fetchNow, { passive: true, signal: controller.signal })
  }
}

takeOver()
  .catch((error: unknown) => {
    // The page stays as the server sent it: links and forms work without this script.
    console.error('The page could not be taken over', error)
  })
  // The script in the page hands over a press that came before.
  .finally(() => dispatchEvent(new Event(READY_EVENT)))
