import { describe, expect, test } from 'vitest'
import type { TaxonomyEvent } from './events.ts'
import { findByName, nameKey, namesById, sampleIds } from './entry.ts'
import { categoriesDecider, mediumsDecider, type TaxonomyCommand, taxonomyStream } from './taxonomy.ts'
import { causes, given, refuses } from '../testing/decider-spec.ts'

const fields = { description: '', isActive: true, sortOrder: 0, sample: false }
const add = (name: string, id = 'new'): TaxonomyCommand => ({ type: 'Add', id, name, ...fields })
const revise = (changes: Extract<TaxonomyCommand, { type: 'Revise' }>['changes'], id = 'c1') =>
  ({ type: 'Revise', id, changes }) as const
const landscape: TaxonomyEvent = {
  type: 'CategoryAdded',
  data: { id: 'c1', name: 'Landscape', ...fields },
}
const portrait: TaxonomyEvent = {
  type: 'CategoryAdded',
  data: { id: 'c2', name: 'Portrait', ...fields, sample: true },
}
const deleted: TaxonomyEvent = {
  type: 'CategoryDeleted',
  data: { id: 'c1', name: 'Landscape', withSamples: false },
}

test('each set is one stream', () => {
  expect([taxonomyStream('Category'), taxonomyStream('Medium')]).toEqual(['categories', 'mediums'])
})

describe('adding', () => {
  test('an entry is added with its name tidied', () => {
    expect(given(categoriesDecider).when(add('  Still \t life '))).toEqual(
      causes({ type: 'CategoryAdded', data: { id: 'new', name: 'Still life', ...fields } }),
    )
  })
  test('mediums say so in their own words', () => {
    expect(given(mediumsDecider).when(add('Ink'))).toEqual(
      causes({ type: 'MediumAdded', data: { id: 'new', name: 'Ink', ...fields } }),
    )
  })
  test.each(['Landscape', 'landscape', ' LANDSCAPE ', 'Landsc\u{ff41}pe'])(
    '%j is taken by Landscape, and the refusal says by which name',
    (name) => {
      const outcome = given(categoriesDecider, landscape).when(add(name))
      expect(outcome).toMatchObject(refuses('taken', 'name'))
      expect(outcome).toHaveProperty('message', 'There is already a category called “Landscape”')
    },
  )
  test('a medium that is taken is called a medium', () => {
    const history = given(mediumsDecider).after(add('Ink', 'm1'))
    expect(given(mediumsDecider, ...history).when(add('INK', 'm2'))).toHaveProperty(
      'message',
      'There is already a medium called “Ink”',
    )
  })
  test.each(['', '   ', 'all', 'ALL', ' All  Artwork ', 'a'.repeat(201)])('%j is no name', (name) => {
    expect(given(categoriesDecider).when(add(name))).toMatchObject(refuses('invalid', 'name'))
    expect(given(categoriesDecider, landscape).when(revise({ name }))).toMatchObject(
      refuses('invalid', 'name'),
    )
  })
  test('a name of 200 characters is one', () => {
    expect(given(categoriesDecider).when(add('a'.repeat(200)))).toHaveProperty('events.length', 1)
  })
  test('all fields at fault are named together', () => {
    const command: TaxonomyCommand = {
      type: 'Add',
      id: 'new',
      name: '',
      description: 'x'.repeat(5001),
      isActive: true,
      sortOrder: Number.NaN,
      sample: false,
    }
    expect(given(categoriesDecider).when(command)).toMatchObject(
      refuses('invalid', 'name', 'description', 'sortOrder'),
    )
  })
  test('the same id is added once, also after its deletion', () => {
    expect(given(categoriesDecider, landscape).when(add('Other', 'c1'))).toMatchObject(refuses('blocked'))
    expect(given(categoriesDecider, landscape, deleted).when(add('Other', 'c1'))).toMatchObject(
      refuses('blocked'),
    )
  })
  test('the name of a deleted one is free again', () => {
    expect(given(categoriesDecider, landscape, deleted).when(add('Landscape'))).toHaveProperty(
      'events.length',
      1,
    )
  })
})

describe('revising', () => {
  test('each field that really changes has its own event', () => {
    expect(
      given(categoriesDecider, landscape).when(
        revise({ name: 'Seascape', description: 'Water', isActive: false, sortOrder: 4 }),
      ),
    ).toEqual(
      causes<TaxonomyEvent>(
        { type: 'CategoryRenamed', data: { id: 'c1', from: 'Landscape', to: 'Seascape' } },
        { type: 'CategoryDescribed', data: { id: 'c1', from: '', to: 'Water' } },
        { type: 'CategoryDeactivated', data: { id: 'c1', name: 'Seascape' } },
        { type: 'CategoryReordered', data: { id: 'c1', from: 0, to: 4 } },
      ),
    )
  })
  test('an inactive one can be made active', () => {
    const off: TaxonomyEvent = { type: 'CategoryDeactivated', data: { id: 'c1', name: 'Landscape' } }
    expect(given(categoriesDecider, landscape, off).when(revise({ isActive: true }))).toEqual(
      causes({ type: 'CategoryActivated', data: { id: 'c1', name: 'Landscape' } }),
    )
  })
  test('the entry sent back as it is changes nothing', () => {
    expect(given(categoriesDecider, landscape).when(revise({ name: 'Landscape', ...fields }))).toEqual(
      causes(),
    )
  })
  test('its own name may change its letters', () => {
    expect(given(categoriesDecider, landscape).when(revise({ name: 'LANDSCAPE' }))).toEqual(
      causes({ type: 'CategoryRenamed', data: { id: 'c1', from: 'Landscape', to: 'LANDSCAPE' } }),
    )
  })
  test("another's name is taken", () => {
    expect(given(categoriesDecider, landscape, portrait).when(revise({ name: 'portrait' }))).toMatchObject(
      refuses('taken', 'name'),
    )
  })
  test('a place in the order is a whole number', () => {
    expect(given(categoriesDecider, landscape).when(revise({ sortOrder: 1.5 }))).toMatchObject(
      refuses('invalid', 'sortOrder'),
    )
  })
})

describe('deleting', () => {
  test('a deletion keeps the name for the activity log', () => {
    expect(given(categoriesDecider, landscape).when({ type: 'Delete', id: 'c1' })).toEqual(causes(deleted))
  })
  test.each([{ type: 'Delete', id: 'c1' }, revise({ name: 'X' })] satisfies TaxonomyCommand[])(
    'one that never was or is deleted refuses $type as missing',
    (command) => {
      expect(given(categoriesDecider).when(command)).toMatchObject(refuses('missing'))
      expect(given(categoriesDecider, landscape, deleted).when(command)).toMatchObject(refuses('missing'))
      expect(given(categoriesDecider, landscape, deleted).versionFor(command)).toBeNull()
    },
  )
})

describe('samples', () => {
  test('of those that no work uses only samples are removed', () => {
    const command: TaxonomyCommand = { type: 'RemoveUnusedSamples', ids: ['c1', 'c2', 'c3'] }
    const history = [landscape, portrait]
    expect(given(categoriesDecider, ...history).when(command)).toEqual(
      causes({ type: 'CategoryDeleted', data: { id: 'c2', name: 'Portrait', withSamples: true } }),
    )
    expect(
      given(categoriesDecider, ...given(categoriesDecider, ...history).after(command)).when(command),
    ).toEqual(causes())
    expect(given(categoriesDecider).versionFor(command)).toBeNull()
  })
  test('a sample that a work uses stays', () => {
    expect(given(categoriesDecider, portrait).when({ type: 'RemoveUnusedSamples', ids: [] })).toEqual(
      causes(),
    )
    expect(sampleIds(given(categoriesDecider, landscape, portrait).state)).toEqual(['c2'])
  })
  const all: TaxonomyCommand = { type: 'RemoveUnusedSamples', ids: ['c2'] }
  test.each([
    { type: 'CategoryRenamed', data: { id: 'c2', from: 'Portrait', to: 'Faces' } },
    { type: 'CategoryDescribed', data: { id: 'c2', from: '', to: 'Faces' } },
    { type: 'CategoryDeactivated', data: { id: 'c2', name: 'Portrait' } },
    { type: 'CategoryReordered', data: { id: 'c2', from: 0, to: 1 } },
    { type: 'CategoryDeleted', data: { id: 'c2', name: 'Portrait', withSamples: false } },
  ] satisfies TaxonomyEvent[])('$type makes a sample hers, for good', (change) => {
    const history = [portrait, change]
    expect(given(categoriesDecider, ...history).when(all)).toEqual(causes())
    const undone = given(categoriesDecider, ...history).after({ type: 'UndoChange', events: [change] })
    expect(undone.length).toBeGreaterThan(history.length)
    expect(given(categoriesDecider, ...undone).when(all)).toEqual(causes())
  })
  test('that were removed come back as samples', () => {
    const removed = given(categoriesDecider, portrait).after(all)
    const back = given(categoriesDecider, ...removed).after({ type: 'UndoChange', events: removed.slice(1) })
    expect(back.at(-1)).toEqual({ type: 'CategoryRestored', data: { id: 'c2', name: 'Portrait' } })
    expect(sampleIds(given(categoriesDecider, ...back).state)).toEqual(['c2'])
    expect(given(categoriesDecider, ...back).when({ type: 'UndoChange', events: back.slice(-1) })).toEqual(
      causes(removed[1] as TaxonomyEvent),
    )
  })
})

describe('moving', () => {
  const move = (ranks: Readonly<Record<string, string>>) =>
    ({ type: 'Move', id: 'c2', place: () => ({ sortOrder: 0, rank: 'Zz', fromRank: null, ranks }) }) as const
  const moved = given(categoriesDecider, landscape, portrait).after(move({ c1: 'a0' }))

  test('where it stands already changes nothing', () => {
    expect(given(categoriesDecider, ...moved).when(move({ c1: 'a0' }))).toEqual({ events: [] })
  })
  test('where it stands already gives those beside it the ranks that they are to get', () => {
    expect(given(categoriesDecider, ...moved).when(move({ c1: 'a1' }))).toMatchObject({
      events: [{ type: 'CategoryMoved', data: { rank: 'Zz', ranks: { c1: 'a1' } } }],
    })
  })
})

describe('undo', () => {
  const undo = (...events: readonly TaxonomyEvent[]): TaxonomyCommand => ({ type: 'UndoChange', events })
  const renamed: TaxonomyEvent = {
    type: 'CategoryRenamed',
    data: { id: 'c1', from: 'Landscape', to: 'Hills' },
  }
  const described: TaxonomyEvent = { type: 'CategoryDescribed', data: { id: 'c1', from: '', to: 'High' } }
  const off: TaxonomyEvent = { type: 'CategoryDeactivated', data: { id: 'c1', name: 'Hills' } }
  test('restores all that one command changed', () => {
    expect(
      given(categoriesDecider, landscape, renamed, described, off).when(undo(renamed, described, off)),
    ).toEqual(
      causes<TaxonomyEvent>(
        { type: 'CategoryRenamed', data: { id: 'c1', from: 'Hills', to: 'Landscape' } },
        { type: 'CategoryDescribed', data: { id: 'c1', from: 'High', to: '' } },
        { type: 'CategoryActivated', data: { id: 'c1', name: 'Hills' } },
      ),
    )
  })
  test('is refused whole when one of the values was changed since', () => {
    const since: TaxonomyEvent = { type: 'CategoryDescribed', data: { id: 'c1', from: 'High', to: 'Low' } }
    expect(
      given(categoriesDecider, landscape, renamed, described, since).when(undo(renamed, described)),
    ).toMatchObject(refuses('blocked'))
  })
  test('brings a deleted one back, unless its name was taken', () => {
    expect(given(categoriesDecider, landscape, deleted).when(undo(deleted))).toEqual(
      causes({ type: 'CategoryRestored', data: { id: 'c1', name: 'Landscape' } }),
    )
    const other: TaxonomyEvent = { type: 'CategoryAdded', data: { id: 'c3', name: 'landscape', ...fields } }
    expect(given(categoriesDecider, landscape, deleted, other).when(undo(deleted))).toMatchObject(
      refuses('taken', 'name'),
    )
  })
  test('is not for adding', () => {
    expect(given(categoriesDecider, landscape).when(undo(landscape))).toMatchObject(refuses('blocked'))
  })
  test('of a move puts one back where it stood, and leaves the order of the others', () => {
    const moved = given(categoriesDecider, landscape, portrait).after({
      type: 'Move',
      id: 'c2',
      place: () => ({ sortOrder: 0, rank: 'Zz', fromRank: 'a1', ranks: { c1: 'a0' } }),
    })
    const at = (events: readonly TaxonomyEvent[]) =>
      [...given(categoriesDecider, ...events).state.values()].map(({ id, rank, version }) => [
        id,
        rank,
        version,
      ])
    expect(at(moved)).toEqual([
      ['c1', 'a0', 1],
      ['c2', 'Zz', 2],
    ])
    const back = given(categoriesDecider, ...moved).after(undo(...moved.slice(2)))
    expect(at(back)).toEqual([
      ['c1', 'a0', 1],
      ['c2', 'a1', 3],
    ])
  })
})

test('each entry has a version of its own', () => {
  const described: TaxonomyEvent = { type: 'CategoryDescribed', data: { id: 'c1', from: '', to: 'x' } }
  const set = given(categoriesDecider, landscape, portrait, described)
  expect(set.versionFor(revise({}))).toBe(2)
  expect(set.versionFor(revise({}, 'c2'))).toBe(1)
  expect(set.versionFor(revise({}, 'c3'))).toBeNull()
})

describe('reading', () => {
  test('a name is found whatever its letters and blanks, unless deleted', () => {
    expect(findByName(given(categoriesDecider, landscape).state, ' landSCAPE')).toEqual({
      id: 'c1',
      name: 'Landscape',
    })
    expect(findByName(given(categoriesDecider, landscape, deleted).state, 'Landscape')).toBeNull()
    expect(findByName(given(categoriesDecider).state, 'Landscape')).toBeNull()
  })
  test('an id stands for its last name, also when it is deleted', () => {
    const renamed: TaxonomyEvent = {
      type: 'CategoryRenamed',
      data: { id: 'c1', from: 'Landscape', to: 'Land' },
    }
    expect(namesById(given(categoriesDecider, landscape, portrait, renamed, deleted).state)).toEqual({
      c1: 'Land',
      c2: 'Portrait',
    })
  })
  test('names are compared beyond ASCII too', () => {
    expect(nameKey('Öl\u{a0}auf  Leinwand')).toBe(nameKey('öl AUF leinwand'))
    expect(nameKey('ﬁne art')).toBe('fine art')
    expect(nameKey('Straße')).toBe(nameKey('STRASSE'))
    expect(nameKey('चित्र')).toBe('चित्र')
  })
})
