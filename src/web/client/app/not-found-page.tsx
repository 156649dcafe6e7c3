import { Footer } from '../home/footer.tsx'
import { Navigation } from '../home/navigation.tsx'
import { NotFound } from '../home/not-found.tsx'
import { artistNameOf, dataOf } from '../lib/page-data.ts'
import { usePublicState } from '../lib/page-store.ts'
import { useTakenOver } from './taken-over.ts'

/** Any address that is none (specification §2). Works without JavaScript; its menus lead home. */
export function NotFoundPage({ artistName }: { artistName: string }) {
  return (
    <>
      <Navigation artistName={artistName} base="/" />
      <main>
        <NotFound />
      </main>
      <Footer artistName={artistName} base="/" />
    </>
  )
}

/** The same page, met without leaving the document. */
export function NotFoundRoute() {
  useTakenOver()
  return <NotFoundPage artistName={artistNameOf(dataOf(usePublicState()['site-content'], null))} />
}
