import { useMemo } from 'react'
import { changeFirstSteps } from '#web/contract/addresses.ts'
import { SHELL_WORDS } from './shell-words.ts'
import { KEYS, useArtworks, useSamples, useSiteContent, useStatus } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { firstStepsOf, type Step } from './first-steps.ts'

/** The first steps while they stand on the dashboard; null once they were put away, and until what they tell of has come. */
export function useFirstSteps(): readonly Step[] | null {
  const steps = useSteps()
  const { data: status } = useStatus()
  return status?.firstStepsAway ? null : steps
}

/** The first steps, put away or not; null until what they tell of has come. */
export function useSteps(): readonly Step[] | null {
  const { data: status } = useStatus()
  const { data: content } = useSiteContent()
  const { data: artworks } = useArtworks()
  const { data: samples } = useSamples()
  return useMemo(
    () =>
      status && content && artworks && samples
        ? firstStepsOf({
            firstPassword: status.firstPassword,
            content,
            artworks,
            sampleTexts: samples.texts.untouched,
          })
        : null,
    [status, content, artworks, samples],
  )
}

/** Puts the first steps away for every browser of hers, or brings them back. */
export function useStepsAway() {
  return useSave(changeFirstSteps, {
    refetch: [KEYS.status],
    success: ({ body }) => (body.away ? SHELL_WORDS.stepsPutAway : SHELL_WORDS.stepsBack),
    failure: SHELL_WORDS.stepsFailed,
  })
}
