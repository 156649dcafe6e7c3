import { useMemo, useState } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { type Draft, draftNames, draftOf, dropDraft } from '../lib/drafts.ts'
import type { Edits } from '../lib/edits.ts'
import { NEW_DRAFT } from './add-dialog.tsx'
import { draftNameOf } from './edit-dialog.tsx'
import type { WorkValues } from './work-values.ts'

type Offer = {
  name: string
  draft: Draft<Edits<WorkValues>>
  /** null for a work that was never saved */
  work: Artwork | null
}

/**
 * Works that an earlier visit left unsaved, e.g. because the session died while one was edited: they are
 * offered where one looks for them, not only inside the dialog that would have to be opened first (decisions 45).
 * @param isLooking true while no dialog is open, whose own drafts come and go
 */
export function useWorkDrafts(
  works: readonly Artwork[],
  isLooking: boolean,
): { offers: readonly Offer[]; discard: (name: string) => void } {
  const [looks, setLooks] = useState(0)
  const offers = useMemo(() => {
    if (!isLooking) return []
    return draftNames('artwork.').flatMap((name): Offer[] => {
      const draft = draftOf<Edits<WorkValues>>(name)
      const work = works.find(({ id }) => draftNameOf(id) === name) ?? null
      return draft && (work || name === NEW_DRAFT) ? [{ name, draft, work }] : []
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `looks` says that the browser's own store has changed
  }, [works, isLooking, looks])
  return {
    offers,
    discard: (name) => {
      dropDraft(name)
      setLooks((before) => before + 1)
    },
  }
}
