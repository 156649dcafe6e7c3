import { Footer } from './footer.tsx'
import { Navigation } from './navigation.tsx'
import { artistNameOf, dataOf } from '../lib/page-data.ts'
import { usePageList } from '../lib/page-queries.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Section } from '../ui/section.tsx'
import styles from './not-found.module.css'
import * as WORDS from '../lib/words.ts'

/**
 * Any address that is none: an empty frame on the wall, the demanded words and a way home. Works without JavaScript; its
 * menus lead home.
 */
export function NotFoundPage({ artistName }: { artistName: string }) {
  return (
    <>
      <Navigation artistName={artistName} base="/" />
      <main>
        <Section className={styles.notFound}>
          <div className={styles.frame} aria-hidden="true">
            Untitled
          </div>
          <div className={styles.words}>
            <h1>{WORDS.notFoundTitle}</h1>
            <p>Did you forget to add the page to the router?</p>
            <ButtonLink look="primary" href="/">
              {WORDS.notFoundHome}
            </ButtonLink>
          </div>
        </Section>
      </main>
      <Footer artistName={artistName} base="/" />
    </>
  )
}

/** The same page, met without leaving the document. */
export function NotFoundRoute() {
  return <NotFoundPage artistName={artistNameOf(dataOf(usePageList('site-content'), null))} />
}
