import { FOOTER_LINKS, FOOTER_YEAR, WORDS } from '../lib/constants.ts'
import styles from './footer.module.css'

/** The name, quick links to every section and the copyright line. `base` is as in the navigation. */
export function Footer({ artistName, base = '' }: { artistName: string; base?: '' | '/' }) {
  return (
    <footer className={styles.footer}>
      <div className={styles.sign}>
        <p className={styles.name}>{artistName}</p>
        <nav aria-label={WORDS.footerMenu}>
          <ul>
            {FOOTER_LINKS.map(({ anchor, label }) => (
              <li key={anchor}>
                <a href={`${base}#${anchor}`}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
        <small>
          © {FOOTER_YEAR} {artistName}
        </small>
      </div>
    </footer>
  )
}
