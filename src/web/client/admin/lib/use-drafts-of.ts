import { useEffect, useMemo, useState } from 'react'
import { draftNames, draftOf, type FoundDraft, offerLater, onDraftsChanged } from './drafts.ts'

/** @property thing null for one that was never saved */
type Offer<Thing> = { name: string; draft: FoundDraft<unknown>; thing: Thing | null }

/**
 * What an earlier visit left unsaved in the forms of a kind of thing: offered where one looks for them, not only inside the
 * dialog that would have to be opened first.
 * @param prefix what the names of their drafts begin with; an id follows, or `new`
 * @param isLooking true while no dialog is open, whose own drafts come and go
 */
export function useDraftsOf<Thing extends { readonly id: string }>(
  prefix: string,
  things: readonly Thing[],
  isLooking: boolean,
): readonly Offer<Thing>[] {
  const [looks, setLooks] = useState(0)
  /** names of drafts that another tab types */
  const [typed, setTyped] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => onDraftsChanged(() => setLooks((before) => before + 1)), [])
  const names = isLooking ? draftNames(prefix).join(' ') : ''
  useEffect(() => {
    const ends = names.split(' ').map((name) =>
      offerLater(
        name,
        () => setTyped((before) => new Set(before).add(name)),
        () => setTyped((before) => new Set([...before].filter((other) => other !== name))),
      ),
    )
    return () => {
      for (const end of ends) end()
      setTyped(new Set())
    }
  }, [names])
  return useMemo(() => {
    if (!isLooking) return []
    return names.split(' ').flatMap((name): Offer<Thing>[] => {
      if (typed.has(name)) return []
      const draft = draftOf(name)
      const thing = things.find(({ id }) => `${prefix}${id}` === name) ?? null
      return draft && (thing || name === `${prefix}new`) ? [{ name, draft, thing }] : []
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `looks` says that the browser's own store has changed
  }, [prefix, things, isLooking, names, looks, typed])
}
