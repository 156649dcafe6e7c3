import { useCallback } from 'react'
import type { Artwork, ArtworkChangeInput, SaleStatus } from '#web/contract/artworks.ts'
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

type Change = { id: string; fields: Pick<ArtworkChangeInput, 'saleStatus' | 'isFeatured'> }

/**
 * What is changed on a card itself: shown at once, taken back with the catalogue's toast when it fails. One tap
 * sets one field to one value, so that it needs no version: quick taps follow one another and the last one wins.
 */
export function useCardChanges(): CardChanges {
  const visibility = useSave<{ id: string; isAvailable: boolean }, Artwork>({
    request: ({ id, isAvailable }) => ({ method: 'PUT', path: `/api/artworks/${id}`, body: { isAvailable } }),
    optimistic: ({ id, isAvailable }) => patchItem<Artwork>(KEYS.artworks, id, { isAvailable }),
    inTurn: true,
    refetch: [KEYS.artworks],
    success: TOASTS.visibilityUpdated,
    failure: TOASTS.visibilityFailed,
  })
  const publication = useSave<string, Artwork>({
    request: (id) => ({ method: 'PUT', path: `/api/artworks/${id}`, body: { isVisible: true } }),
    optimistic: (id) => patchItem<Artwork>(KEYS.artworks, id, { isVisible: true }),
    inTurn: true,
    refetch: [KEYS.artworks],
    success: TOASTS.visibilityUpdated,
    failure: TOASTS.visibilityFailed,
  })
  const field = useSave<Change, Artwork>({
    request: ({ id, fields }) => ({ method: 'PUT', path: `/api/artworks/${id}`, body: fields }),
    optimistic: ({ id, fields }) => patchItem<Artwork>(KEYS.artworks, id, fields),
    inTurn: true,
    refetch: [KEYS.artworks],
    success: TOASTS.artworkUpdated,
    failure: TOASTS.artworkUpdateFailed,
  })
  const deletion = useSave<string>({
    request: (id) => ({ method: 'DELETE', path: `/api/artworks/${id}` }),
    optimistic: (id) => removeItem<Artwork>(KEYS.artworks, id),
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
      ({ id, isAvailable }) => void saveVisibility({ id, isAvailable: !isAvailable }),
      [saveVisibility],
    ),
    publish: useCallback(({ id }) => void savePublication(id), [savePublication]),
    setSaleStatus: useCallback(
      ({ id }, saleStatus) => void saveField({ id, fields: { saleStatus } }),
      [saveField],
    ),
    setFeatured: useCallback(
      ({ id }, isFeatured) => void saveField({ id, fields: { isFeatured } }),
      [saveField],
    ),
    remove: useCallback(({ id }) => void saveDeletion(id), [saveDeletion]),
  }
}
