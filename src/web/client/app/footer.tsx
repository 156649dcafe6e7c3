import { NAVIGATION } from '../lib/constants.ts'
import { withSoftBreaks } from '../lib/soft-breaks.ts'
import styles from './footer.module.css'

const YEAR = 2025

/** The name, quick links to every section and the copyright line. `base` is as in the navigation. */
export function Footer({ artistName, base = '' }: { artistName: string; base?: '' | '/' }) {
  return (
    <footer className={styles.footer}>
      <div className={styles.sign}>
        <p className={styles.name} dir="auto">
          {withSoftBreaks(artistName)}
        </p>
        <nav aria-label="Footer">
          <ul>
            {[...NAVIGATION, { anchor: 'about', label: 'About' }].map(({ anchor, label }) => (
              <li key={anchor}>
                <a href={`${base}#${anchor}`}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
        <small>
          ©{'\u00a0'}
          {YEAR} {withSoftBreaks(artistName)}
        </small>
      </div>
    </footer>
  )
}
