import { TEXT, WORDS } from '../lib/constants.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Section } from '../ui/section.tsx'
import styles from './not-found.module.css'

/** An empty frame on the wall, the demanded words and a way home. */
export function NotFound() {
  return (
    <Section className={styles.notFound}>
      <div className={styles.frame} aria-hidden="true">
        {WORDS.notFoundFrame}
      </div>
      <div className={styles.words}>
        <h1>{TEXT.notFoundTitle}</h1>
        <p>{TEXT.notFoundHint}</p>
        <ButtonLink look="primary" href="/">
          {TEXT.notFoundHome}
        </ButtonLink>
      </div>
    </Section>
  )
}
