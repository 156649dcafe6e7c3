import { Footer } from './footer.tsx'
import { Navigation } from './navigation.tsx'
import { NotFound } from './not-found.tsx'
import { artistNameOf, dataOf } from '../lib/page-data.ts'
import { usePageList } from '../lib/page-queries.ts'

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
  return <NotFoundPage artistName={artistNameOf(dataOf(usePageList('site-content'), null))} />
}
