import type { BodyInput } from '#web/contract/calls.ts'
import type { Category } from '#web/contract/taxonomy.ts'

/** One category or medium; both have the same shape. */
export type Entry = Category

/** What the modal edits. The sort order is text while it is typed. */
export type EntryValues = { name: string; description: string; sortOrder: string; isActive: boolean }

/** The fields of a new entry (active, sort order 0). */
export const NEW_ENTRY: EntryValues = {
  name: '',
  description: '',
  sortOrder: '0',
  isActive: true,
}

export function valuesOf({ name, description, sortOrder, isActive }: Entry): EntryValues {
  return { name, description, sortOrder: String(sortOrder), isActive }
}

/** A typed sort order as a whole number; what is none becomes 0. */
export function sortOrderOf(text: string): number {
  const value = Number(text.trim())
  return Number.isInteger(value) ? value : 0
}

/** The body of the call: only what was given, the sort order as a number. */
export function bodyOf(values: Partial<EntryValues>): BodyInput<'changeCategory'> {
  const { sortOrder, ...others } = values
  return { ...others, ...(sortOrder === undefined ? {} : { sortOrder: sortOrderOf(sortOrder) }) }
}

/** The body of the call that adds one. */
export function newBodyOf(values: EntryValues): BodyInput<'addCategory'> {
  return { ...bodyOf(values), name: values.name }
}

/** What each field is called. */
export const FIELD_WORDS: Readonly<Record<keyof EntryValues, string>> = {
  name: 'Name',
  description: 'Description',
  sortOrder: 'Sort order',
  isActive: 'Active',
}

export const INACTIVE = 'Inactive'
