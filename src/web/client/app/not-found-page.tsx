import { Footer } from './footer.tsx'
import { Navigation } from './navigation.tsx'
import { NotFound } from './not-found.tsx'
import { artistNameOf, dataOf } from '../lib/page-data.ts'
import { usePublicState } from '../lib/page-store.ts'
import { useTakenOver } from './taken-over.ts'

/** Any address that is none. Works without JavaScript; its menus lead home. */
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
