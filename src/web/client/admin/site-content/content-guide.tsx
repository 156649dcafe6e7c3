import type { SiteContent } from '#web/contract/site-content.ts'
import { Button } from '../../ui/button.tsx'
import { useDashboardParts } from '../shell/dashboard-parts.ts'
import { useFirstSteps } from '../shell/use-first-steps.ts'
import { CONTENT_WORDS } from './content-words.ts'
import { placeholdersOf } from './placeholders.ts'
import { focusField } from './shown-field.ts'
import styles from './content-guide.module.css'

/**
 * What of the page is still built in, each with a way to its field; what the unfolded first steps ask for stands there.
 * Nothing when all of it is hers.
 */
export function PlaceholderList({ content }: { content: SiteContent }) {
  const steps = useFirstSteps() ?? []
  // On this tab they are unfolded until she folds them.
  const isListed = useDashboardParts().stepsUnfolded ?? true
  const asked = new Set((isListed ? steps : []).flatMap(({ done, fields }) => (done ? [] : fields)))
  const placeholders = placeholdersOf(content).filter(({ field }) => !asked.has(field))
  if (placeholders.length === 0) return null
  return (
    <section className={styles.placeholders} aria-label={CONTENT_WORDS.placeholders}>
      <p>{CONTENT_WORDS.placeholdersHint}</p>
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
