import { useCallback } from 'react'
import { batchArtworks } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { limits } from '#web/contract/limits.ts'
import { TOASTS } from '../admin-constants.ts'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { GALLERY_TOASTS } from './artworks-words.ts'

type Publish = {
  /** Puts works on the website; those past the limit of one call follow in another. */
  publish: (artworks: readonly Pick<Artwork, 'id'>[]) => Promise<void>
  pending: boolean
}

/** Several works become public by one call, which is taken back as one act. */
export function usePublish(): Publish {
  const { save, pending } = useSave(batchArtworks, {
    refetch: [KEYS.artworks],
    success: (_input, { rows }) => {
      const refused = rows.filter(({ status }) => status >= 400)
      if (refused.length === 0) return GALLERY_TOASTS.published(rows.length)
      const [reason = ''] = refused.flatMap(({ fields }) => Object.values(fields ?? {}))
      return GALLERY_TOASTS.notAllPublished(refused.length, reason)
    },
    failure: TOASTS.artworkUpdateFailed,
  })
  const publish = useCallback(
    async (artworks: readonly Pick<Artwork, 'id'>[]): Promise<void> => {
      for (let from = 0; from < artworks.length; from += limits.batchRows) {
        const rows = artworks.slice(from, from + limits.batchRows)
        // One after the other: each is an act of its own.
        const { ok } = await save({
          body: { rows: rows.map(({ id }) => ({ id, fields: { isVisible: true } })) },
        })
        if (!ok) return
      }
    },
    [save],
  )
  return { publish, pending }
}
