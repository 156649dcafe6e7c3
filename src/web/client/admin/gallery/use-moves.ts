import { useState } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { TOASTS } from '../admin-constants.ts'
import { replaceList } from '../lib/optimistic.ts'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { movedTo } from './gallery-words.ts'
import { moved } from './moves.ts'

type Moves = {
  /** Puts a work before another one, null for the end: one command, shown at once. */
  moveBefore: (work: Artwork, before: string | null) => void
  /** what a screen reader is told */
  announcement: string
}

/** Moves of works, one command each (decisions 5); a failed one is taken back with the catalogue's toast. */
export function useMoves(works: readonly Artwork[]): Moves {
  const [announcement, setAnnouncement] = useState('')
  const { save } = useSave<{ id: string; before: string | null }, Artwork>({
    request: ({ id, before }) => ({
      method: 'PUT',
      path: `/api/artworks/${id}/position`,
      body: { before },
    }),
    optimistic: ({ id, before }) => replaceList<Artwork>(KEYS.artworks, (list) => moved(list, id, before)),
    inTurn: true,
    refetch: [KEYS.artworks],
    success: null,
    failure: TOASTS.artworkUpdateFailed,
  })
  const moveBefore = (work: Artwork, before: string | null): void => {
    const order = moved(works, work.id, before)
    const place = order.findIndex(({ id }) => id === work.id)
    if (works[place]?.id === work.id) return
    setAnnouncement(movedTo(work.title, place + 1, works.length))
    void save({ id: work.id, before }).then(({ ok }) => {
      if (!ok) setAnnouncement('')
    })
  }
  return { moveBefore, announcement }
}
