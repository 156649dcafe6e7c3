import { useCallback } from 'react'
import { changeArtwork, deleteArtwork } from '#web/contract/addresses.ts'
import type { Artwork, SaleStatus } from '#web/contract/artworks.ts'
import { TOASTS } from '../admin-constants.ts'
import { patchItem, removeItem } from '../lib/optimistic.ts'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'

type CardChanges = {
  toggleAvailable: (artwork: Artwork) => void
  publish: (artwork: Artwork) => void
  setSaleStatus: (artwork: Artwork, saleStatus: SaleStatus) => void
  setFeatured: (artwork: Artwork, isFeatured: boolean) => void
  remove: (artwork: Artwork) => void
}

type Change = {
  params: { id: string }
  body: Partial<Pick<Artwork, 'isAvailable' | 'isVisible' | 'saleStatus' | 'isFeatured'>>
}

const shownAtOnce = {
  optimistic: ({ params: { id }, body }: Change) => patchItem<Artwork>(KEYS.artworks, id, body),
  inTurn: true,
  refetch: [KEYS.artworks],
}
const visibilityToasts = { success: TOASTS.visibilityUpdated, failure: TOASTS.visibilityFailed }

/**
 * What is changed on a card itself: shown at once, taken back with the catalogue's toast when it fails. One tap
 * sets one field to one value, so that it needs no version: quick taps follow one another and the last one wins.
 */
export function useCardChanges(): CardChanges {
  const visibility = useSave(changeArtwork, { ...shownAtOnce, ...visibilityToasts })
  const publication = useSave(changeArtwork, { ...shownAtOnce, ...visibilityToasts })
  const field = useSave(changeArtwork, {
    ...shownAtOnce,
    success: TOASTS.artworkUpdated,
    failure: TOASTS.artworkUpdateFailed,
  })
  const deletion = useSave(deleteArtwork, {
    optimistic: ({ params: { id } }) => removeItem<Artwork>(KEYS.artworks, id),
    refetch: [KEYS.artworks, KEYS.deletedArtworks],
    success: TOASTS.artworkDeleted,
    failure: TOASTS.artworkDeleteFailed,
  })
  const { save: saveVisibility } = visibility
  const { save: savePublication } = publication
  const { save: saveField } = field
  const { save: saveDeletion } = deletion
  return {
    toggleAvailable: useCallback(
      ({ id, isAvailable }) => void saveVisibility({ params: { id }, body: { isAvailable: !isAvailable } }),
      [saveVisibility],
    ),
    publish: useCallback(
      ({ id }) => void savePublication({ params: { id }, body: { isVisible: true } }),
      [savePublication],
    ),
    setSaleStatus: useCallback(
      ({ id }, saleStatus) => void saveField({ params: { id }, body: { saleStatus } }),
      [saveField],
    ),
    setFeatured: useCallback(
      ({ id }, isFeatured) => void saveField({ params: { id }, body: { isFeatured } }),
      [saveField],
    ),
    remove: useCallback(({ id }) => void saveDeletion({ params: { id } }), [saveDeletion]),
  }
}
