import { useCallback } from 'react'
import { batchArtworks, changeArtwork, deleteArtwork, listArtworks } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { failureToast, successToast, TOASTS } from '../admin-constants.ts'
import { patchItem, removeItem } from '../lib/optimistic.ts'
import { keyOf } from '../lib/stale.ts'
import { useSave } from '../lib/save.ts'
import { limits } from '#web/contract/limits.ts'
import { ARTWORK_TOASTS } from './artworks-words.ts'
import type { CardActions, CardChange } from './card.tsx'

type SentChange = { params: { id: string }; body: CardChange }

const ARTWORKS = keyOf(listArtworks, {})

const isOfVisibility = ({ body }: SentChange): boolean => 'isAvailable' in body || 'isVisible' in body

/**
 * What is changed on a card itself: shown at once, taken back with the catalogue's toast when it fails. One tap
 * sets one field to one value, so that it needs no version: quick taps follow one another and the last one wins.
 */
export function useCardChange(): CardActions['change'] {
  const { save } = useSave(changeArtwork, {
    optimistic: ({ params: { id }, body }: SentChange) => patchItem<Artwork>(ARTWORKS, id, body),
    inTurn: 'of thing',
    success: (sent) => (isOfVisibility(sent) ? ARTWORK_TOASTS.visibilityUpdated : TOASTS.artworkUpdated),
    failure: (sent) =>
      isOfVisibility(sent)
        ? failureToast('Failed to update artwork visibility.')
        : TOASTS.artworkUpdateFailed,
  })
  return useCallback(({ id }, body) => void save({ params: { id }, body }), [save])
}

/** Deletes an artwork, which is gone from the list at once. */
export const useDeletion = () =>
  useSave(deleteArtwork, {
    optimistic: ({ params: { id } }) => removeItem<Artwork>(ARTWORKS, id),
    success: successToast('Artwork deleted successfully.'),
    failure: failureToast('Failed to delete artwork.'),
  })

type Publish = {
  /** Puts artworks on the website; those past the limit of one call follow in another. */
  publish: (artworks: readonly Pick<Artwork, 'id'>[]) => Promise<void>
  pending: boolean
}

/** Several artworks become public by one call, which is taken back as one act. */
export function usePublish(): Publish {
  const { save, pending } = useSave(batchArtworks, {
    success: (_input, { rows }) => {
      const refused = rows.filter(({ status }) => status >= 400)
      if (refused.length === 0) return ARTWORK_TOASTS.published(rows.length)
      const [reason = ''] = refused.flatMap(({ fields }) => Object.values(fields ?? {}))
      return ARTWORK_TOASTS.notAllPublished(refused.length, reason)
    },
    failure: TOASTS.artworkUpdateFailed,
  })
  const publish = async (artworks: readonly Pick<Artwork, 'id'>[]): Promise<void> => {
    for (let from = 0; from < artworks.length; from += limits.batchRows) {
      const rows = artworks.slice(from, from + limits.batchRows)
      // One after the other: each is an act of its own.
      const { ok } = await save({
        body: { rows: rows.map(({ id }) => ({ id, fields: { isVisible: true } })) },
      })
      if (!ok) return
    }
  }
  return { publish, pending }
}
