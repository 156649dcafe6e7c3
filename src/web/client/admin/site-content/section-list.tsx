import type { MouseEvent } from 'react'
import { CONTENT_SECTIONS, headingIdOf } from './content-sections.ts'
import { CONTENT_WORDS } from './content-words.ts'
import styles from './section-list.module.css'

/** The sections of the form to jump by. */
export function SectionList() {
  return (
    <nav className={styles.sections} aria-label={CONTENT_WORDS.sections}>
      <ul>
        {CONTENT_SECTIONS.map(({ id, name }) => (
          <li key={id}>
            <a href={`#${headingIdOf(id)}`} onClick={(event) => jump(event, headingIdOf(id))}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Within the form nothing is left: no step in the history, which would ask about what is unsaved. */
function jump(event: MouseEvent, id: string): void {
  event.preventDefault()
  const heading = document.getElementById(id)
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
