import { listInWords, samplesInWords } from '#web/contract/forms.ts'
import { limits } from '#web/contract/limits.ts'
import * as WORDS from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { type TabId, successToast, failureToast } from '../admin-constants.ts'
import { JOB_WORDS } from './job-words.ts'
import { Banner } from '../form/banner.tsx'
import { formatBytes } from '../lib/in-words.ts'
import { useJobs, useSamples, useStatus } from '../lib/queries.ts'
import { useDashboardParts } from '../lib/dashboard-parts.ts'
import { openPanel, useFocusWhenGone } from '../lib/screen.ts'
import { FirstSteps } from './first-steps-panel.tsx'
import styles from './banners.module.css'
import { retryJob, removeSamples } from '#web/contract/addresses.ts'
import type { Job, Samples, Status } from '#web/contract/status.ts'
import { useSave } from '../lib/save.ts'
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore, useState } from 'react'
import { isOwners } from '../lib/stale.ts'
import { isUnauthorized } from '../lib/failure.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

const REMOVE_SAMPLES = 'Remove sample content'

/** A list that is shown as it was, because it could not be fetched again. */
const isOutdated = (query: Query): boolean =>
  isOwners(query) &&
  query.isActive() &&
  query.state.data !== undefined &&
  query.state.error !== null &&
  !isUnauthorized(query.state.error)

/**
 * Says that something on the screen could not be fetched again after a change; nothing asks for it by itself. It stands in
 * the header, which is seen from everywhere on a tab.
 */
export function OutdatedBanner() {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const outdated = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.getAll().some(isOutdated),
  )
  useFocusWhenGone(outdated, openPanel)
  if (!outdated) return null
  return (
    <Banner
      tone="urgent"
      className={styles.outdated}
      actions={
        <Button onClick={() => void client.refetchQueries({ predicate: isOutdated })}>
          {WORDS.tryAgain}
        </Button>
      }
    >
      {WORDS.outdated}
    </Banner>
  )
}

/** Work that failed for good, why, and the way to have it tried again. */
function FailedJob({ job }: { job: Job }) {
  const { save, pending } = useSave(retryJob, {
    success: successToast('It is tried again.'),
    failure: failureToast('It could not be tried again. Please look at the list once more.'),
  })
  const what = JOB_WORDS[job.name] ?? job.name
  return (
    <Banner
      tone="urgent"
      actions={
        <Button
          busy={pending}
          aria-label={`${WORDS.tryAgain}: ${what}`}
          onClick={() => !pending && void save({ params: { id: job.id } })}
        >
          {pending ? 'Trying...' : WORDS.tryAgain}
        </Button>
      }
    >
      {`${what} failed: ${job.reason ?? 'it is not known why.'}`}
    </Banner>
  )
}

/** So much work that failed is named; the rest is counted, and comes up as these go. */
const FAILED_SHOWN = 3

const moreFailed = (count: number): string =>
  count === 1 ? 'One more piece of work has failed.' : `${count} more pieces of work have failed.`

/** What the last backup lacked when it was restored for a look; null when nothing did, or it was not looked into yet. */
const whatLacks = (backup: Status['backup']): string | null => {
  const { finishedAt = null, check = null } = backup ?? {}
  return check !== null && finishedAt !== null && check.at >= finishedAt ? check.error : null
}

/** What she should know wherever she is: first steps, first password, samples, backup, disk, failed work. */
export function Banners({ tab }: { tab: TabId }) {
  const { data: status } = useStatus()
  const { data: samples } = useSamples()
  const { openAccount } = useDashboardParts()
  const few = status?.freeBytes !== null && status !== undefined && status.freeBytes < limits.leastFreeBytes
  const backupError = status?.backup?.error ?? null
  const lacks = whatLacks(status?.backup ?? null)
  const hasSamples = samples !== undefined && Object.values(samples).some(({ go }) => go > 0)
  const parked = useJobs().data?.items.filter(({ state }) => state === 'parked') ?? []
  return (
    <div className={styles.banners}>
      {few && (
        <Banner tone="urgent">{`Only ${formatBytes(status.freeBytes ?? 0)} are free on the server. Uploads will soon be refused.`}</Banner>
      )}
      {backupError !== null && <Banner tone="urgent">{`The last backup failed: ${backupError}`}</Banner>}
      {lacks !== null && <Banner tone="urgent">{`The last backup was restored for a look: ${lacks}`}</Banner>}
      {parked.slice(0, FAILED_SHOWN).map((job) => (
        <FailedJob key={job.id} job={job} />
      ))}
      {parked.length > FAILED_SHOWN && (
        <Banner tone="urgent">{moreFailed(parked.length - FAILED_SHOWN)}</Banner>
      )}
      <FirstSteps opensItself={tab === 'content'} />
      {status?.firstPassword && status.firstStepsAway && (
        <Banner actions={<Button onClick={() => openAccount('password')}>Change password</Button>}>
          The password is still the first one. Please choose your own.
        </Banner>
      )}
      {hasSamples && <SamplesBanner counts={samples} />}
    </div>
  )
}

/** "12 works, 3 journal posts and 1 category": what goes or what stays; empty for nothing. */
export function samplesListed(counts: Samples, which: 'go' | 'stay'): string {
  return listInWords(samplesInWords((kind) => counts[kind][which]))
}

/** Takes the samples away, once she has read what goes with them and what stays. */
function SamplesBanner({ counts }: { counts: Samples }) {
  const [asking, setAsking] = useState(false)
  const { save, pending } = useSave(removeSamples, {
    success: successToast('Sample content removed.'),
    failure: failureToast('Failed to remove the sample content. Please try again.'),
  })
  const stays = samplesListed(counts, 'stay')
  return (
    <Banner actions={<Button onClick={() => setAsking(true)}>{REMOVE_SAMPLES}</Button>}>
      This site shows sample content, so that you can see how it looks. What you have changed of it is yours
      and stays.
      <ConfirmDialog
        open={asking}
        title={REMOVE_SAMPLES}
        text={`These go: ${samplesListed(counts, 'go')}.`}
        confirm="Remove"
        pending={pending}
        pendingText="Removing..."
        onCancel={() => setAsking(false)}
        onConfirm={() => void save({}).then(() => setAsking(false))}
      >
        <p>
          {stays === ''
            ? 'Nothing stays: you have not changed or added anything yet.'
            : `These stay, because you made or changed them or they are in use: ${stays}.`}
        </p>
        <p>The activity list can bring all of it back, with its pictures.</p>
      </ConfirmDialog>
    </Banner>
  )
}
