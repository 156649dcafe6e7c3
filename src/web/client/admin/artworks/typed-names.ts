import { nameKey } from '#web/contract/forms.ts'
import type { SelectOption } from '../../ui/select.tsx'
import { useCallback, useRef, useState } from 'react'
import { useLatest } from '../lib/use-latest.ts'
import type { TermField } from '../taxonomy/kinds.ts'

type Entry = { readonly name: string; readonly isActive: boolean }

/**
 * What a category or medium picker offers: nothing, the active ones, and those of the artwork that are none of them
 * any more, so that saving does not blank them.
 * @param kept the name that is saved, and the one that is chosen just now
 */
export function nameOptions(
  entries: readonly Entry[],
  kept: readonly string[],
  none: string,
): readonly SelectOption[] {
  const active = entries.filter(({ isActive }) => isActive).map(({ name }) => name)
  const others = new Set(kept.filter((name) => name !== '' && !active.includes(name)))
  const isInactive = (name: string): boolean => entries.some((entry) => entry.name === name)
  return [
    { value: '', label: none },
    ...active.map((name) => ({ value: name, label: name })),
    ...[...others].map((name) => ({ value: name, label: isInactive(name) ? `${name} (inactive)` : name })),
  ]
}

/** Whether no entry bears this name. None at all is no name, and nothing is known of entries that are not there. */
export const isUnknown = (name: string, entries: readonly Pick<Entry, 'name'>[] | undefined): boolean =>
  name !== '' && entries !== undefined && entries.every((entry) => entry.name !== name)

/** What a typed text stands for. */
export type NameSearch = {
  /** the options that it may mean */
  readonly fitting: readonly SelectOption[]
  /** the one that it names, letter for letter but for case and blanks */
  readonly named: SelectOption | null
  /** the entry of that name which is switched off, and for that reason no option */
  readonly off: string | null
  /** the name as it would be added; null where there is nothing to add */
  readonly addable: string | null
}

/** Looks for a typed text among the options and the whole set; names are compared as the server compares them. */
export function searchNames(
  options: readonly SelectOption[],
  entries: readonly Entry[],
  typed: string,
): NameSearch {
  const key = nameKey(typed)
  if (key === '') {
    const none = options.find(({ value }) => value === '') ?? null
    return { fitting: options, named: none, off: null, addable: null }
  }
  const names = options.filter(({ value }) => value !== '')
  const named = names.find(({ value, label }) => nameKey(value) === key || nameKey(label) === key) ?? null
  const off = named ? undefined : entries.find(({ name }) => nameKey(name) === key)
  return {
    // What was typed whole comes first: Enter takes the first one.
    fitting: names
      .filter(({ label }) => nameKey(label).includes(key))
      .toSorted((one, other) => Number(other === named) - Number(one === named)),
    named,
    off: off?.name ?? null,
    addable: named || off ? null : typed.trim().replace(/\s+/g, ' '),
  }
}

export type TypedName = {
  /** as typed; null while what is chosen stands in the field */
  text: string | null
  /** the field was left although the text names nothing yet */
  hasLeft: boolean
  type: (text: string) => void
  leave: () => void
  settle: () => void
  /** adding it is under way; tells whether it was added, and never rejects */
  addedBy: (adding: Promise<boolean>) => void
}

export type TypedNames = Readonly<Record<TermField, TypedName>> & {
  /** some text was typed that is neither chosen nor added */
  isOpen: () => boolean
  isAdding: () => boolean
  /** Resolves once nothing is being added any more; whether all of it was. */
  added: () => Promise<boolean>
  /** something else of the form is on its way */
  addedBy: TypedName['addedBy']
}

type State = { text: string | null; hasLeft: boolean }

const SETTLED: State = { text: null, hasLeft: false }

/** The names that are typed into an artwork's form: it is not sent while one of them is neither chosen nor added. */
export function useTypedNames(): TypedNames {
  const [category, setCategory] = useState(SETTLED)
  const [medium, setMedium] = useState(SETTLED)
  const adding = useRef(new Set<Promise<boolean>>())
  const latest = useLatest([category, medium])
  const isOpen = useCallback(() => latest.current.some(({ text }) => text !== null), [latest])
  const addedBy = (adds: Promise<boolean>): void => {
    adding.current.add(adds)
    void adds.finally(() => adding.current.delete(adds))
  }
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
    isAdding: () => adding.current.size > 0,
    added: async () => {
      let areAdded = true
      // Another picture may have been chosen instead meanwhile.
      while (adding.current.size > 0)
        areAdded = (await Promise.all(adding.current)).every(Boolean) && areAdded
      return areAdded
    },
    addedBy,
  }
}
