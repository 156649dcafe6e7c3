import { Footer } from './footer.tsx'
import { Navigation } from './navigation.tsx'
import { artistNameOf, dataOf } from '../lib/page-data.ts'
import { usePageList } from '../lib/page-queries.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Section } from '../ui/section.tsx'
import styles from './not-found.module.css'
import { OTHER_WORDS } from './other-words.ts'

/** An empty frame on the wall, the demanded words and a way home. */
function NotFound() {
  return (
    <Section className={styles.notFound}>
      <div className={styles.frame} aria-hidden="true">
        {OTHER_WORDS.notFoundFrame}
      </div>
      <div className={styles.words}>
        <h1>{OTHER_WORDS.notFoundTitle}</h1>
        <p>{OTHER_WORDS.notFoundHint}</p>
        <ButtonLink look="primary" href="/">
          {OTHER_WORDS.notFoundHome}
        </ButtonLink>
      </div>
    </Section>
  )
}

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
