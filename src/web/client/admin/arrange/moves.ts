import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import type { moveArtwork, moveCategory, moveMedium } from '#web/contract/addresses.ts'
import type { ToastText } from '../../lib/constants.ts'
import { replaceList } from '../lib/optimistic.ts'
import { useSave } from '../lib/save.ts'
import type { Drop } from './use-drag.ts'

/** Moving an item within its list. A move names the item it goes before; null is the end. */

type Item = { readonly id: string }

export type MoveTo = 'first' | 'up' | 'down' | 'last'

/**
 * Where a Move button puts an item. With a search on, "up" goes before the item shown above it.
 * @param all the whole list
 * @param shown the items on screen, in the same order
 * @returns the id of the item to stand before, null for the end, undefined when there is nowhere to go
 */
export function targetOf(
  all: readonly Item[],
  shown: readonly Item[],
  id: string,
  to: MoveTo,
): string | null | undefined {
  const at = shown.findIndex((item) => item.id === id)
  if (at < 0) return undefined
  switch (to) {
    case 'first':
      return at === 0 ? undefined : shown[0]?.id
    case 'up':
      return shown[at - 1]?.id
    case 'down':
      return behind(all, shown[at + 1]?.id)
    case 'last':
      return at === shown.length - 1 ? undefined : behind(all, shown.at(-1)?.id)
  }
}

/** The id of the item after the one of that id, null when it is the last; undefined where it is not in the list. */
function behind(all: readonly Item[], id: string | undefined): string | null | undefined {
  const at = all.findIndex((item) => item.id === id)
  return at < 0 ? undefined : (all[at + 1]?.id ?? null)
}

/** The id of the item before which one is put that is let go there; undefined where that is not in the list. */
export const droppedBefore = (all: readonly Item[], { overId, side }: Drop): string | null | undefined =>
  side === 'before' ? overId : behind(all, overId)

/** The list with the item `id` standing before `before`; the same list when that is where it stands. */
export function moved<T extends Item>(list: readonly T[], id: string, before: string | null): readonly T[] {
  const item = list.find((each) => each.id === id)
  if (!item || id === before) return list
  const others = list.filter((each) => each.id !== id)
  const at = before === null ? others.length : others.findIndex((each) => each.id === before)
  return at < 0 ? list : others.toSpliced(at, 0, item)
}

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

/** Puts an item before another one, null for the end: one command, shown at once. Undefined is nowhere to go. */
export type MoveBefore = (id: string, before: string | null | undefined) => void

type Moves = {
  moveBefore: MoveBefore
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
}: MovesOptions<T>): Moves {
  const [announcement, setAnnouncement] = useState('')
  const { save } = useSave(move, {
    optimistic: ({ params: { id }, body: { before } }) =>
      replaceList<T>(queryKey, (list) => moved(list, id, before)),
    inTurn: 'of list',
    success,
    failure,
  })
  const moveBefore: MoveBefore = (id, before) => {
    const item = items.find((each) => each.id === id)
    if (!item || before === undefined) return
    const place = moved(items, id, before).indexOf(item)
    if (items[place] === item) return
    setAnnouncement(`${nameOf(item)} moved to place ${place + 1} of ${items.length}.`)
    void save({ params: { id }, body: { before } }).then(({ ok }) => {
      if (!ok) setAnnouncement('')
    })
  }
  return { moveBefore, announcement }
}

export const ARRANGE = 'Arrange'
