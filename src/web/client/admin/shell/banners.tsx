import { Button } from '../../ui/button.tsx'
import { SHELL_WORDS } from '../admin-constants.ts'
import { Banner } from '../form/banner.tsx'
import { formatBytes } from '../lib/bytes.ts'
import { KEYS, useArtworks, useStatus } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { useDashboardParts } from './dashboard-parts.ts'
import styles from './banners.module.css'

/** Under this many bytes the disk is nearly full (decisions 109). */
const FEW_BYTES = 500_000_000

/** What she should know wherever she is: first password, samples, backup, disk. */
export function Banners() {
  const { data: status } = useStatus()
  const { data: works } = useArtworks()
  const { openAccount } = useDashboardParts()
  const few = status?.freeBytes !== null && status !== undefined && status.freeBytes < FEW_BYTES
  const backupError = status?.backup?.error ?? null
  const hasSamples = works?.some((work) => work.sample) ?? false
  if (!status?.firstPassword && !few && backupError === null && !hasSamples) return null
  return (
    <div className={styles.banners}>
      {few && <Banner tone="urgent">{SHELL_WORDS.fewBytes(formatBytes(status.freeBytes ?? 0))}</Banner>}
      {backupError !== null && <Banner tone="urgent">{SHELL_WORDS.backupFailed(backupError)}</Banner>}
      {status?.firstPassword && (
        <Banner actions={<Button onClick={openAccount}>{SHELL_WORDS.changePassword}</Button>}>
          {SHELL_WORDS.firstPassword}
        </Banner>
      )}
      {hasSamples && <SamplesBanner />}
    </div>
  )
}

/** One tap takes the samples away (decisions 62, 107). */
function SamplesBanner() {
  const { save, pending } = useSave<null>({
    request: () => ({ method: 'DELETE', path: '/api/samples' }),
    refetch: [
      KEYS.artworks,
      KEYS.deletedArtworks,
      KEYS.categories,
      KEYS.mediums,
      KEYS.posts,
      KEYS.siteContent,
      KEYS.activity,
    ],
    success: SHELL_WORDS.samplesRemoved,
    failure: SHELL_WORDS.samplesFailed,
  })
  return (
    <Banner
      actions={
        <Button busy={pending} onClick={() => !pending && void save(null)}>
          {pending ? SHELL_WORDS.removing : SHELL_WORDS.removeSamples}
        </Button>
      }
    >
      {SHELL_WORDS.samples}
    </Banner>
  )
}
