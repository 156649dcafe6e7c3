import type { QueryKey } from '@tanstack/react-query'
import type { Optimistic } from './save.ts'

type Item = { readonly id: string }

/** Changes fields of one item of a list at once; taken back, only those fields return to what they were. */
export function patchItem<T extends Item>(key: QueryKey, id: string, patch: Partial<T>): Optimistic {
  return (client) => {
    const before = client.getQueryData<readonly T[]>(key)?.find((item) => item.id === id)
    const put = (fields: Partial<T>): void => {
      client.setQueryData<readonly T[]>(key, (list) =>
        list?.map((item) => (item.id === id ? { ...item, ...fields } : item)),
      )
    }
    put(patch)
    return () => {
      if (before) put(pick(before, Object.keys(patch)))
    }
  }
}

/** Takes one item out of a list at once; taken back, it stands where it stood. */
export function removeItem<T extends Item>(key: QueryKey, id: string): Optimistic {
  return (client) => {
    const list = client.getQueryData<readonly T[]>(key) ?? []
    const at = list.findIndex((item) => item.id === id)
    const removed = list[at]
    client.setQueryData<readonly T[]>(key, (now) => now?.filter((item) => item.id !== id))
    return () => {
      if (!removed) return
      // Fetched meanwhile, the list may have it again.
      client.setQueryData<readonly T[]>(key, (now) =>
        now?.some((item) => item.id === id) ? now : now?.toSpliced(at, 0, removed),
      )
    }
  }
}

/** Puts another list in place at once (a move); taken back, the old one returns. */
export function replaceList<T>(key: QueryKey, change: (list: readonly T[]) => readonly T[]): Optimistic {
  return (client) => {
    const before = client.getQueryData<readonly T[]>(key)
    if (before) client.setQueryData<readonly T[]>(key, change(before))
    return () => {
      if (before) client.setQueryData<readonly T[]>(key, before)
    }
  }
}

function pick<T extends object>(from: T, keys: readonly string[]): Partial<T> {
  const entries = Object.entries(from).filter(([key]) => keys.includes(key))
  // Some of the object's own entries are a part of it.
  return Object.fromEntries(entries) as Partial<T>
}
