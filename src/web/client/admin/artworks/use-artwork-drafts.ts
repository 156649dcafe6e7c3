import { useMemo, useState } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { type Draft, draftNames, draftOf, dropDraft } from '../lib/drafts.ts'
import type { Edits } from '../lib/edits.ts'
import { draftNameOf, NEW_DRAFT } from './use-artwork-form.ts'
import type { ArtworkValues } from './artwork-values.ts'

type Offer = {
  name: string
  draft: Draft<Edits<ArtworkValues>>
  /** null for an artwork that was never saved */
  artwork: Artwork | null
}

/**
 * Works that an earlier visit left unsaved, e.g. because the session died while one was edited: they are
 * offered where one looks for them, not only inside the dialog that would have to be opened first.
 * @param isLooking true while no dialog is open, whose own drafts come and go
 */
export function useArtworkDrafts(
  artworks: readonly Artwork[],
  isLooking: boolean,
): { offers: readonly Offer[]; discard: (name: string) => void } {
  const [looks, setLooks] = useState(0)
  const offers = useMemo(() => {
    if (!isLooking) return []
    return draftNames('artwork.').flatMap((name): Offer[] => {
      const draft = draftOf<Edits<ArtworkValues>>(name)
      const artwork = artworks.find(({ id }) => draftNameOf(id) === name) ?? null
      return draft && (artwork || name === NEW_DRAFT) ? [{ name, draft, artwork }] : []
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `looks` says that the browser's own store has changed
  }, [artworks, isLooking, looks])
  return {
    offers,
    discard: (name) => {
      dropDraft(name)
      setLooks((before) => before + 1)
    },
  }
}
