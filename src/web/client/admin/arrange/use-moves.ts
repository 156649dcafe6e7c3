import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import type { moveArtwork, moveCategory, moveMedium } from '#web/contract/addresses.ts'
import type { ToastText } from '../../lib/constants.ts'
import { replaceList } from '../lib/optimistic.ts'
import { useSave } from '../lib/save.ts'
import { movedTo } from './arrange-words.ts'
import { moved } from './moves.ts'

type Item = { readonly id: string }

type MovesOptions<T extends Item> = {
  /** the whole list, in its order */
  items: readonly T[]
  /** the call that takes the moves, and the list's key */
  move: typeof moveArtwork | typeof moveCategory | typeof moveMedium
  queryKey: QueryKey
  nameOf: (item: T) => string
  success: ToastText
  failure: ToastText
}

type Moves<T> = {
  /** Puts an item before another one, null for the end: one command, shown at once. */
  moveBefore: (item: T, before: string | null) => void
  /** what a screen reader is told */
  announcement: string
}

/** Moves within a list, one command each; a failed one is taken back with the catalogue's toast. */
export function useMoves<T extends Item>({
  items,
  move,
  queryKey,
  nameOf,
  success,
  failure,
}: MovesOptions<T>): Moves<T> {
  const [announcement, setAnnouncement] = useState('')
  const { save } = useSave(move, {
    optimistic: ({ params: { id }, body: { before } }) =>
      replaceList<T>(queryKey, (list) => moved(list, id, before)),
    inTurn: true,
    refetch: [queryKey],
    success,
    failure,
  })
  const moveBefore = (item: T, before: string | null): void => {
    const order = moved(items, item.id, before)
    const place = order.findIndex(({ id }) => id === item.id)
    if (items[place]?.id === item.id) return
    setAnnouncement(movedTo(nameOf(item), place + 1, items.length))
    void save({ params: { id: item.id }, body: { before } }).then(({ ok }) => {
      if (!ok) setAnnouncement('')
    })
  }
  return { moveBefore, announcement }
}
