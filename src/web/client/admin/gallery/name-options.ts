import type { SelectOption } from '../../ui/select.tsx'
import { inactiveName } from './gallery-words.ts'

type Entry = { readonly name: string; readonly isActive: boolean }

/**
 * What a category or medium picker offers: nothing, the active ones, and the saved one when it is none of them
 * any more, so that saving does not blank it (specification §4, decisions 9 and 10).
 */
export function nameOptions(entries: readonly Entry[], saved: string, none: string): readonly SelectOption[] {
  const active = entries.filter(({ isActive }) => isActive).map(({ name }) => ({ value: name, label: name }))
  const empty = { value: '', label: none }
  if (saved === '' || active.some(({ value }) => value === saved)) return [empty, ...active]
  const isInactive = entries.some(({ name }) => name === saved)
  return [empty, ...active, { value: saved, label: isInactive ? inactiveName(saved) : saved }]
}
