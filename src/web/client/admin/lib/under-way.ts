import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onChanges } from '../../lib/changes.ts'
import { fetchAnew, staleBy } from './stale.ts'

/**
 * Lists with a change on its way to the server. They are not fetched meanwhile, or an older answer would take a
 * newer tap off the screen; what is owed to them is fetched when the last change is over.
 */
const saves = new Map<string, number>()
const owed = new Set<string>()

const nameOf = (key: QueryKey): string => key.join('/')

/** A change to that list begins. */
export function enter(key: QueryKey): void {
  saves.set(nameOf(key), (saves.get(nameOf(key)) ?? 0) + 1)
}

/** Whether a fetch of that list has to wait; then it is owed. */
export function postpone(key: QueryKey): boolean {
  if ((saves.get(nameOf(key)) ?? 0) === 0) return false
  owed.add(nameOf(key))
  return true
}

/**
 * A change to that list is over.
 * @param isOwed it was made, or shown before it failed; any other failed one owes the list nothing by itself
 * @returns whether the list is to be fetched now
 */
export function leave(key: QueryKey, isOwed: boolean): boolean {
  const name = nameOf(key)
  const others = (saves.get(name) ?? 0) - 1
  saves.set(name, others)
  if (isOwed) owed.add(name)
  return others === 0 && owed.delete(name)
}

/** Refetches what the server says has changed, while the dashboard is open. */
export function useChanges(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onChanges((changed) => {
        // A save under way refetches when it is done; an earlier answer would take its change off the screen.
        const lists = staleBy(changed).filter((key) => !postpone(key))
        void fetchAnew(client, lists)
      }, 'dashboard'),
    [client],
  )
}
