import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { allProjections } from './all-projections.ts'

/** Names a set of types in a few letters. */
const nameOf = (types: readonly string[]): string =>
  createHash('sha256').update(types.toSorted().join(' ')).digest('hex').slice(0, 8)

/*
 * A version of the program that knows no such type passes over its events. Where it projected a while, as on the way back of
 * an update, its views lack them for good: those of a later version must not be the same.
 */
it('gives a view that hears of another type of event a version of its own: change both here', () => {
  const heard = allProjections.map(({ view, handles }) => `${view.name}@${view.version} ${nameOf(handles)}`)
  expect(heard).toEqual([
    'artworks@4 23f89d58',
    'images@2 0d299466',
    'categories@2 d4c7d37b',
    'mediums@2 be53aa47',
    'site-content@2 4a6b0c1a',
    'blog-posts@7 0781dd9e',
    'blog-sync@1 8e28b2c4',
    'messages@1 6d55ddc5',
    'activity@9 89d6cd53',
  ])
})
