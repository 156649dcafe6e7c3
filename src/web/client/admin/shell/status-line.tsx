import { formatBytes, whenInWords, useNow } from '../lib/in-words.ts'
import { useStatus } from '../lib/queries.ts'
import styles from './status-line.module.css'

/** The footer: version, last backup and what was found in it, free space. */
export function StatusLine() {
  const { data: status } = useStatus()
  const now = useNow()
  if (!status) return null
  const { version, backup, freeBytes } = status
  const at = backup?.finishedAt ?? null
  const check = backup?.check ?? null
  return (
    <footer className={styles.line}>
      <span>{`Atelier ${version}`}</span>
      {backup && <span>{at === null ? 'No backup yet' : `Last backup ${whenInWords(at, now)}`}</span>}
      {check !== null && (
        <span>
          {`restored for a look ${whenInWords(check.at, now)}, ${check.error === null ? 'nothing' : 'something'} lacks`}
        </span>
      )}
      {freeBytes !== null && <span>{`${formatBytes(freeBytes)} free`}</span>}
    </footer>
  )
}
