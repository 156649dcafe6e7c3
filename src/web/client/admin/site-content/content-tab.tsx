import { useSiteContent } from '../lib/queries.ts'
import { ListState } from '../form/list-state.tsx'
import { PanelHead } from '../form/panel.tsx'
import { ContentForm } from './content-form.tsx'
import { CONTENT_SECTIONS, headingIdOf, type SectionId } from './content-words.ts'
import type { MouseEvent } from 'react'
import type { SiteContent } from '#web/contract/site-content.ts'
import { Button } from '../../ui/button.tsx'
import { useDashboardParts } from '../lib/dashboard-parts.ts'
import { KeptPlace } from '../lib/kept-place.tsx'
import { useFirstSteps, useSteps } from './first-steps.ts'
import { placeholdersOf } from './content-values.ts'
import { focusField } from './content-fields.tsx'
import styles from './content-tab.module.css'

/**
 * What of the page is still built in, each with a way to its field; what the unfolded first steps ask for stands there.
 * Nothing when all of it is hers.
 */
function PlaceholderList({ content }: { content: SiteContent }) {
  const steps = useFirstSteps()
  const isKnown = useSteps() !== null
  // On this tab they are unfolded until she folds them.
  const isListed = useDashboardParts().stepsUnfolded ?? true
  if (!isKnown) return null
  const asked = new Set((isListed ? (steps ?? []) : []).flatMap(({ done, fields }) => (done ? [] : fields)))
  const placeholders = placeholdersOf(content).filter(({ field }) => !asked.has(field))
  if (placeholders.length === 0) return null
  return (
    <section className={styles.placeholders} aria-label="Still a placeholder">
      <p>Still a placeholder, or missing on your page:</p>
      <ul>
        {placeholders.map(({ field, name }) => (
          <li key={field}>
            <Button onClick={() => focusField(field)}>{name}</Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

// The keys of the table are the sections.
const SECTIONS = Object.keys(CONTENT_SECTIONS) as SectionId[]

/** The sections of the form to jump by. */
function SectionList() {
  return (
    <nav className={styles.sections} aria-label="Sections of the form">
      <ul>
        {SECTIONS.map((id) => (
          <li key={id}>
            <a href={`#${headingIdOf(id)}`} onClick={(event) => jump(event, headingIdOf(id))}>
              {CONTENT_SECTIONS[id]}
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

/** The Content tab: the homepage's texts and settings. */
export function ContentTab() {
  const query = useSiteContent()
  return (
    <>
      <PanelHead title="Homepage Content" />
      <ListState query={query}>
        {(content) => (
          <>
            <KeptPlace name="placeholders">
              <PlaceholderList content={content} />
            </KeptPlace>
            <SectionList />
            <ContentForm first={content} />
          </>
        )}
      </ListState>
    </>
  )
}
