import { useCallback, useMemo, useRef, useState } from 'react'
import { useLatest } from '../lib/use-latest.ts'

/** A name that is being typed. */
export type TypedName = {
  /** as typed; null while what is chosen stands in the field */
  text: string | null
  /** the field was left although the text names nothing yet */
  hasLeft: boolean
  type: (text: string) => void
  leave: () => void
  settle: () => void
  /** adding it is under way; never rejects */
  addedBy: (adding: Promise<void>) => void
}

export type NameKey = 'category' | 'medium'

export type TypedNames = Readonly<Record<NameKey, TypedName>> & {
  /** some text was typed that is neither chosen nor added */
  isOpen: () => boolean
  isAdding: () => boolean
  /** Resolves once nothing is being added any more. */
  added: () => Promise<void>
}

type State = { text: string | null; hasLeft: boolean }

const SETTLED: State = { text: null, hasLeft: false }

/** The names that are typed into an artwork's form: it is not sent while one of them is neither chosen nor added. */
export function useTypedNames(): TypedNames {
  const [category, setCategory] = useState(SETTLED)
  const [medium, setMedium] = useState(SETTLED)
  const adding = useRef(new Set<Promise<void>>())
  const latest = useLatest([category, medium])
  const isOpen = useCallback(() => latest.current.some(({ text }) => text !== null), [latest])
  const isAdding = useCallback(() => adding.current.size > 0, [])
  const added = useCallback(async () => {
    await Promise.all(adding.current)
  }, [])
  const addedBy = useCallback((adds: Promise<void>) => {
    adding.current.add(adds)
    void adds.finally(() => adding.current.delete(adds))
  }, [])
  return useMemo(() => {
    const typed = (state: State, set: (next: State | ((before: State) => State)) => void): TypedName => ({
      ...state,
      type: (text) => set({ text, hasLeft: false }),
      leave: () => set((before) => ({ ...before, hasLeft: true })),
      settle: () => set(SETTLED),
      addedBy,
    })
    return {
      category: typed(category, setCategory),
      medium: typed(medium, setMedium),
      isOpen,
      isAdding,
      added,
    }
  }, [category, medium, isOpen, isAdding, added, addedBy])
}
