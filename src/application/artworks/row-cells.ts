import { laterFields } from '#domain/artworks/fields.ts'
import { canonicalJson } from '../kernel/archive/canonical-json.ts'
import type { ArtworkInput } from './artworks.ts'

/** Up to this version of `ArtworkAdded` rows are known by each of its fields, also where nothing is said in one. */
const allCountUpTo = 2

/**
 * What a row to add is known by, whichever version of the program takes it: of a field that came later what is said counts, and
 * not that nothing is. Else the same table, sent again after an update, would add all its works once more.
 * @param later all fields that came after the first artworks, unless a test says otherwise
 */
export const cellsOf = (
  input: ArtworkInput,
  later: readonly {
    readonly name: string
    readonly since: number
    readonly unset: unknown
  }[] = laterFields,
): string => {
  const unsaid = new Map(
    later.filter(({ since }) => since > allCountUpTo).map(({ name, unset }) => [name, unset]),
  )
  const said = Object.entries(input).filter(
    ([name, value]) => !unsaid.has(name) || unsaid.get(name) !== value,
  )
  return canonicalJson(Object.fromEntries(said))
}
