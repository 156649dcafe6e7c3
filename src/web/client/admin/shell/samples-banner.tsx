import { useState } from 'react'
import { removeSamples } from '#web/contract/addresses.ts'
import type { Samples } from '#web/contract/status.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { SHELL_WORDS, samplesInWords } from './shell-words.ts'
import { Banner } from '../form/banner.tsx'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'

/** Takes the samples away, once she has read what goes with them and what stays. */
export function SamplesBanner({ counts }: { counts: Samples }) {
  const [asking, setAsking] = useState(false)
  const { save, pending } = useSave(removeSamples, {
    refetch: [
      KEYS.artworks,
      KEYS.deletedArtworks,
      KEYS.categories,
      KEYS.mediums,
      KEYS.posts,
      KEYS.siteContent,
      KEYS.activity,
      KEYS.samples,
    ],
    success: SHELL_WORDS.samplesRemoved,
    failure: SHELL_WORDS.samplesFailed,
  })
  const stays = samplesInWords(counts, 'stay')
  return (
    <Banner actions={<Button onClick={() => setAsking(true)}>{SHELL_WORDS.removeSamples}</Button>}>
      {SHELL_WORDS.samples}
      <ConfirmDialog
        open={asking}
        title={SHELL_WORDS.removeSamples}
        text={SHELL_WORDS.samplesGo(samplesInWords(counts, 'go'))}
        cancel={ADMIN_WORDS.cancel}
        confirm={SHELL_WORDS.removeSamplesNow}
        pending={pending}
        pendingText={SHELL_WORDS.removing}
        onCancel={() => setAsking(false)}
        onConfirm={() => void save({}).then(() => setAsking(false))}
      >
        <p>{stays === '' ? SHELL_WORDS.nothingStays : SHELL_WORDS.samplesStay(stays)}</p>
        <p>{SHELL_WORDS.samplesReturn}</p>
      </ConfirmDialog>
    </Banner>
  )
}
