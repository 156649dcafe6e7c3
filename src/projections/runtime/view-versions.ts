import type { ViewDefinition } from '#application/kernel/ports/documents.ts'

/**
 * When a view last changed, as text: the same text always means the same documents.
 * @param copies older ones that were put back since this process began: what was read meanwhile may be of one, whatever the places said
 */
export const versionOf = ({ name, version }: ViewDefinition, changedAt: string | null, copies = 0): string =>
  `${name}@${version}${copies === 0 ? '' : `+${copies}`}:${changedAt ?? ''}`

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
