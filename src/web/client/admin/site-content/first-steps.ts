import type { Artwork } from '#web/contract/artworks.ts'
import type { SiteContent } from '#web/contract/site-content.ts'
import { type ContentValues, placeholdersOf } from './content-values.ts'
import type { Wish } from '../lib/dashboard-parts.ts'
import { useMemo } from 'react'
import { changeFirstSteps } from '#web/contract/addresses.ts'
import { failureToast, successToast } from '../admin-constants.ts'
import { useArtworks, useSamples, useSiteContent, useStatus } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'

type StepId = 'password' | 'person' | 'contact' | 'upi' | 'artwork' | 'journal'

/** One of the first things to do on a new site. */
export type Step = {
  id: StepId
  done: boolean
  /** the fields of the content form that it is about; none for what stands elsewhere */
  fields: readonly (keyof ContentValues)[]
  /** where it is done */
  leadsTo: Wish | { kind: 'password' }
}

type Known = {
  firstPassword: boolean
  content: SiteContent
  artworks: readonly Pick<Artwork, 'sample'>[]
  /** texts that are still those of the sample site */
  sampleTexts: readonly string[]
}

/**
 * The first steps in their order. What is done follows from the site as it is: a sample is nothing of hers, nor is
 * what `placeholdersOf` names.
 */
export function firstStepsOf({ firstPassword, content, artworks, sampleTexts }: Known): Step[] {
  const built: ReadonlySet<string> = new Set([
    ...placeholdersOf(content).map(({ field }) => field),
    ...sampleTexts,
  ])
  const isHers = (field: keyof ContentValues): boolean => content[field] !== '' && !built.has(field)
  const inForm = (
    id: StepId,
    fields: readonly [keyof ContentValues, ...(keyof ContentValues)[]],
    done: boolean,
  ): Step => {
    const field = fields.find((each) => !isHers(each)) ?? fields[0]
    return { id, done, fields, leadsTo: { kind: 'field', field } }
  }
  return [
    { id: 'password', done: !firstPassword, fields: [], leadsTo: { kind: 'password' } },
    inForm('person', ['artistName', 'profileImageUrl'], isHers('artistName') && isHers('profileImageUrl')),
    inForm(
      'contact',
      ['contactEmail', 'contactWhatsapp'],
      isHers('contactEmail') || isHers('contactWhatsapp'),
    ),
    inForm('upi', ['upiId'], isHers('upiId')),
    {
      id: 'artwork',
      done: artworks.some(({ sample }) => !sample),
      fields: [],
      leadsTo: { kind: 'add-work' },
    },
    inForm('journal', ['blogUrl'], isHers('blogUrl')),
  ]
}

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

const TOASTS = {
  putAway: successToast('First steps put away. “Account” brings them back.'),
  back: successToast('The first steps are at the top of the dashboard again.'),
  failed: failureToast('This could not be kept. Please try again.'),
} as const

/** Puts the first steps away for every browser of hers, or brings them back. */
export function useStepsAway() {
  return useSave(changeFirstSteps, {
    success: ({ body }) => (body.away ? TOASTS.putAway : TOASTS.back),
    failure: TOASTS.failed,
  })
}
