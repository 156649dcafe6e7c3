import { Button } from '../../ui/button.tsx'
import { type TabId } from '../admin-constants.ts'
import { SHELL_WORDS } from './shell-words.ts'
import { Banner } from '../form/banner.tsx'
import { formatBytes } from '../lib/bytes.ts'
import { useOutdated } from '../lib/use-outdated.ts'
import { useJobs, useSamples, useStatus } from '../lib/queries.ts'
import { useDashboardParts } from './dashboard-parts.ts'
import { FailedJob } from './failed-job.tsx'
import { FirstSteps } from './first-steps-panel.tsx'
import { SamplesBanner } from './samples-banner.tsx'
import styles from './banners.module.css'
import { useFirstSteps } from './use-first-steps.ts'

/** Under this many bytes the disk is nearly full. */
const FEW_BYTES = 500_000_000
/** So much work that failed is named; the rest is counted, and comes up as these go. */
const FAILED_SHOWN = 3

/** What she should know wherever she is: first steps, first password, samples, backup, disk, failed work. */
export function Banners({ tab }: { tab: TabId }) {
  const { data: status } = useStatus()
  const { data: samples } = useSamples()
  const { openAccount } = useDashboardParts()
  const few = status?.freeBytes !== null && status !== undefined && status.freeBytes < FEW_BYTES
  const backupError = status?.backup?.error ?? null
  const hasSamples = samples !== undefined && Object.values(samples).some(({ go }) => go > 0)
  const parked = useJobs().data?.items.filter(({ state }) => state === 'parked') ?? []
  const steps = useFirstSteps()
  const { outdated, tryAgain } = useOutdated()
  return (
    <div className={styles.banners}>
      {outdated && (
        <Banner tone="urgent" actions={<Button onClick={tryAgain}>{SHELL_WORDS.tryAgain}</Button>}>
          {SHELL_WORDS.outdated}
        </Banner>
      )}
      {few && <Banner tone="urgent">{SHELL_WORDS.fewBytes(formatBytes(status.freeBytes ?? 0))}</Banner>}
      {backupError !== null && <Banner tone="urgent">{SHELL_WORDS.backupFailed(backupError)}</Banner>}
      {parked.slice(0, FAILED_SHOWN).map((job) => (
        <FailedJob key={job.id} job={job} />
      ))}
      {parked.length > FAILED_SHOWN && (
        <Banner tone="urgent">{SHELL_WORDS.moreFailed(parked.length - FAILED_SHOWN)}</Banner>
      )}
      <FirstSteps opensItself={tab === 'content'} />
      {status?.firstPassword && steps === null && (
        <Banner
          actions={<Button onClick={() => openAccount('password')}>{SHELL_WORDS.changePassword}</Button>}
        >
          {SHELL_WORDS.firstPassword}
        </Banner>
      )}
      {hasSamples && <SamplesBanner counts={samples} />}
    </div>
  )
}
