import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { domainEvents, type DomainEventType } from '#domain/events.ts'
import { allProjections } from './all-projections.ts'

/** Names a set of types, each with its version, in a few letters. */
const nameOf = (types: readonly DomainEventType[]): string => {
  const versions = types.toSorted().map((type) => `${type} ${domainEvents[type].version}`)
  return createHash('sha256').update(versions.join()).digest('hex').slice(0, 8)
}

/*
 * A version of the program that knows no such type passes over its events, and parks those of a later version of one. Where it
 * projected a while, as in an update or on the way back, its views lack them for good: those of a later version must not be the same.
 */
it('gives a view that hears of another type of event, or version of one, a version of its own: change both here', () => {
  const heard = allProjections.map(({ view, handles }) => `${view.name}@${view.version} ${nameOf(handles)}`)
  expect(heard).toEqual([
    'artworks@4 25bb362f',
    'images@2 db8cae44',
    'categories@2 b26ec456',
    'mediums@2 02664fc3',
    'site-content@2 a45beac9',
    'blog-posts@7 860db5d5',
    'blog-sync@1 d0ec52d9',
    'messages@1 6d847c4b',
    'activity@9 5c409426',
  ])
})
