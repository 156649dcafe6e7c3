import { useEffect } from 'react'
import { syncBlogPosts } from '#web/contract/addresses.ts'
import type { BlogSyncStatus } from '#web/contract/journal.ts'
import { inGroups } from '#web/contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { failureToast, successToast } from '../admin-constants.ts'
import { AdminIcon } from '../admin-icon.tsx'
import { whenInWords, useNow } from '../lib/in-words.ts'
import { useSiteContent, useSyncStatus } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import styles from './sync-panel.module.css'

const AUTO_SYNC = 'Auto-sync from an external blog'

/** How the sync with the blog stands, and the button that starts one. */
export function SyncPanel() {
  const { data: status } = useSyncStatus()
  const { data: site } = useSiteContent()
  const now = useNow()
  const { save, pending, failure, reset } = useSave(syncBlogPosts, {
    isLong: true,
    success: successToast('Blog posts synced successfully.'),
    failure: failureToast('Failed to sync blog posts. Please try again.'),
  })
  // What a sync has come to since says more than a press that got no answer.
  const finishedAt = status?.finishedAt
  useEffect(() => reset(), [finishedAt, reset])
  const syncing = pending || status?.running === true
  const error = (failure?.kind === 'unauthorized' ? null : failure?.message) ?? status?.error ?? null
  const address = site?.blogUrl ?? ''

  return (
    <section className={styles.panel} aria-label={AUTO_SYNC}>
      <div>
        <strong>{AUTO_SYNC}</strong>
        {site && address === '' && (
          <p>No blog address is set yet. It stands under Content, in the field “Blog Address”.</p>
        )}
        {address !== '' && (
          <p>
            <a href={address} target="_blank" rel="noreferrer">
              {address.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')}
            </a>
          </p>
        )}
        {status && address !== '' && <p>{lastRun(status, now)}</p>}
        <p role="status" className={styles.error}>
          {syncing || address === '' ? null : error}
        </p>
      </div>
      <Button busy={syncing} disabled={site && address === ''} onClick={() => !syncing && void save({})}>
        {!syncing && <AdminIcon name="sync" />}
        {syncing ? 'Syncing...' : 'Sync Now'}
      </Button>
    </section>
  )
}

/** "Last synced today, 06:00: 1 created, 2 updated, 15 unchanged. Next today, 12:00." */
function lastRun(status: BlogSyncStatus, now: Date): string {
  const { finishedAt, nextAt } = status
  const next = nextAt === null ? '' : ` Next ${whenInWords(nextAt, now)}.`
  if (finishedAt === null) return `Never synced yet.${next}`
  if (status.error !== null) return `The last try, ${whenInWords(finishedAt, now)}, failed.${next}`
  const counts = (['created', 'updated', 'removed', 'unchanged'] as const)
    .filter((key) => status[key] > 0)
    .map((key) => `${inGroups(status[key])} ${key}`)
  const done = counts.length > 0 ? `: ${counts.join(', ')}` : ''
  return `Last synced ${whenInWords(finishedAt, now)}${done}.${next}`
}
