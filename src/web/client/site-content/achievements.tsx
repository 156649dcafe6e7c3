import type { PageContent } from '../lib/on-page.ts'
import { textWithSoftBreaks } from '../lib/soft-breaks.ts'
import { Icon, InfinitySign, isIconName } from '../ui/icon.tsx'
import { achievementsOf } from './achievements-of.ts'
import styles from './achievements.module.css'

/** A saved icon is the name of one of ours, or a short sign of her own such as an emoji. */
function AchievementIcon({ icon }: { icon: string }) {
  if (isIconName(icon)) return <Icon name={icon} className={styles.icon} />
  return (
    <span className={styles.icon} aria-hidden="true">
      {Array.from(icon).length <= 4 ? icon : ''}
    </span>
  )
}

/** Four figures, large enough to be read from across the room. */
export function Achievements({ site }: { site: PageContent | null }) {
  return (
    <div className={styles.achievements}>
      <h3>Artistic Achievements</h3>
      <ul>
        {achievementsOf(site).map(({ icon, number, label }, index) => (
          <li key={index}>
            <AchievementIcon icon={icon} />
            <strong>{number === '∞' ? <InfinitySign className={styles.infinity} /> : number}</strong>
            <span>{textWithSoftBreaks(label)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
