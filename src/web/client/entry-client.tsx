import './react.ts'
import './styles/base.css'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { amountOf, cacheOf, readBoot } from './app/boot.ts'
import { followChanges } from './lib/page-queries.ts'
import { passOverRefusedAddresses } from './lib/refused-addresses.ts'
import { sessionQuery, setUser } from './lib/session.ts'
import { makeRouter } from './router.tsx'

/**
 * Takes over the page that the server sent. A function rather than awaits at the top of the module: with
 * those the bundler may not merge what entry and later chunks share into one file.
 */
async function takeOver(): Promise<void> {
  const boot = readBoot(document)
  // In every page of ours; React says so where it is not.
  const container = document.getElementById('app') as HTMLElement
  if (boot.kind === 'not-found') {
    const { NotFoundPage } = await import('./app/not-found-page.tsx')
    hydrateRoot(container, <NotFoundPage artistName={boot.artistName} />)
    return
  }
  const queries = cacheOf(boot.lists)
  // Where the mark lacks nobody is signed in: to ask would only put a 401 into the console.
  if (!document.documentElement.hasAttribute('data-session')) setUser(queries, null)
  passOverRefusedAddresses()
  const router = makeRouter()
  // The matches must be there before the first render, or it would differ from the server's.
  await router.load()
  const render =
    amountOf(container) === boot.amount ? hydrateRoot : (await import('./app/made-anew.tsx')).renderAnew
  await new Promise<void>((resolve) => {
    startTransition(() => {
      render(
        container,
        <App router={router} queries={queries} facts={boot} images={boot.images} onHydrated={resolve} />,
      )
    })
  })
  void queries.prefetchQuery(sessionQuery)
  followChanges(queries)
}

window.atelierTakenOver = takeOver()
window.atelierTakenOver.catch((error: unknown) => {
  // The page stays as the server sent it: links and forms work without this script.
  console.error(error)
})
