import type { ViewDefinition } from '#application/kernel/ports/documents.ts'

/** When a view last changed, as text: the same text always means the same documents. */
export const versionOf = ({ name, version }: ViewDefinition, changedAt: string | null): string =>
  `${name}@${version}:${changedAt ?? ''}`

/** @returns the position at which one of the views changed last, of such texts as above in a row; empty where none has */
export const newestChangeIn = (versions: string): string =>
  versions.split(' ').reduce((newest, each) => {
    const changedAt = each.slice(each.indexOf(':') + 1)
    return each.includes(':') && changedAt > newest ? changedAt : newest
  }, '')

/** @returns the names of the views that do not stand in `now` (such texts as above, in a row) as they stand in `before` */
export const movedViews = (before: string, now: string): ReadonlySet<string> => {
  const known = new Set(before.split(' '))
  const moved = now.split(' ').filter((each) => !known.has(each))
  return new Set(moved.map((each) => each.slice(0, each.indexOf('@'))))
}

/** A view with the form of its documents, as named in such a text, and how far it has come. */
const placeIn = (each: string): readonly [view: string, at: string] => {
  const end = each.indexOf(':')
  return end < 0 ? [each, ''] : [each.slice(0, end), each.slice(end + 1)]
}

/** Whether what stands in `now` (such texts as above, in a row) is all that stands in `before`, or newer. */
export const isAsNew = (now: string, before: string): boolean => {
  if (now === before) return true
  const places = new Map(now.split(' ').map(placeIn))
  const parts = before.split(' ').map(placeIn)
  const nameOf = (view: string): string => view.slice(0, view.indexOf('@'))
  const isAhead = ([view, at]: readonly [string, string]): boolean => (places.get(view) ?? '') > at
  // What is besides told of a view, as its newest date, may be anything where the view itself has moved on.
  const ahead = new Set(
    parts
      .filter(([view]) => /@\d/.test(view))
      .filter(isAhead)
      .map(([view]) => nameOf(view)),
  )
  return parts.every(([view, at]) => {
    const there = places.get(view)
    return there !== undefined && (there >= at || ahead.has(nameOf(view)))
  })
}
