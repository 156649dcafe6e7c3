import { describe, expect, test } from 'vitest'
import type { CategoryEvent } from './events.ts'
import {
  categories,
  findByName,
  mediums,
  nameKey,
  namesById,
  sampleIds,
  type TaxonomyCommand,
  taxonomyStream,
} from './taxonomy.ts'
import { causes, given, refuses } from '#domain/decider-spec.ts'

const fields = { description: '', isActive: true, sortOrder: 0, sample: false }
const add = (name: string, id = 'new'): TaxonomyCommand => ({ type: 'Add', id, name, ...fields })
const revise = (changes: Extract<TaxonomyCommand, { type: 'Revise' }>['changes'], id = 'c1') =>
  ({ type: 'Revise', id, changes }) as const
const landscape: CategoryEvent = {
  type: 'CategoryAdded',
  data: { id: 'c1', name: 'Landscape', ...fields },
}
const portrait: CategoryEvent = {
  type: 'CategoryAdded',
  data: { id: 'c2', name: 'Portrait', ...fields, sample: true },
}
const deleted: CategoryEvent = { type: 'CategoryDeleted', data: { id: 'c1', name: 'Landscape' } }

test('each set is one stream', () => {
  expect([taxonomyStream('Category'), taxonomyStream('Medium')]).toEqual(['categories', 'mediums'])
})

describe('adding', () => {
  test('an entry is added with its name tidied', () => {
    expect(given(categories).when(add('  Still \t life '))).toEqual(
      causes({ type: 'CategoryAdded', data: { id: 'new', name: 'Still life', ...fields } }),
    )
  })
  test('mediums say so in their own words', () => {
    expect(given(mediums).when(add('Ink'))).toEqual(
      causes({ type: 'MediumAdded', data: { id: 'new', name: 'Ink', ...fields } }),
    )
  })
  test.each(['Landscape', 'landscape', ' LANDSCAPE ', 'Landsc\u{ff41}pe'])(
    '%j is taken by Landscape, and the refusal says by which name',
    (name) => {
      const outcome = given(categories, landscape).when(add(name))
      expect(outcome).toMatchObject(refuses('taken', 'name'))
      expect(outcome).toHaveProperty('message', 'There is already a category called “Landscape”')
    },
  )
  test('a medium that is taken is called a medium', () => {
    const history = given(mediums).after(add('Ink', 'm1'))
    expect(given(mediums, ...history).when(add('INK', 'm2'))).toHaveProperty(
      'message',
      'There is already a medium called “Ink”',
    )
  })
  test.each(['', '   ', 'all', 'ALL', ' All  Artwork ', 'a'.repeat(201)])('%j is no name', (name) => {
    expect(given(categories).when(add(name))).toMatchObject(refuses('invalid', 'name'))
    expect(given(categories, landscape).when(revise({ name }))).toMatchObject(refuses('invalid', 'name'))
  })
  test('a name of 200 characters is one', () => {
    expect(given(categories).when(add('a'.repeat(200)))).toHaveProperty('events.length', 1)
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
    expect(given(categories).when(command)).toMatchObject(
      refuses('invalid', 'name', 'description', 'sortOrder'),
    )
  })
  test('the same id is added once, also after its deletion', () => {
    expect(given(categories, landscape).when(add('Other', 'c1'))).toMatchObject(refuses('blocked'))
    expect(given(categories, landscape, deleted).when(add('Other', 'c1'))).toMatchObject(refuses('blocked'))
  })
  test('the name of a deleted one is free again', () => {
    expect(given(categories, landscape, deleted).when(add('Landscape'))).toHaveProperty('events.length', 1)
  })
})

describe('revising', () => {
  test('each field that really changes has its own event', () => {
    expect(
      given(categories, landscape).when(
        revise({ name: 'Seascape', description: 'Water', isActive: false, sortOrder: 4 }),
      ),
    ).toEqual(
      causes<CategoryEvent>(
        { type: 'CategoryRenamed', data: { id: 'c1', from: 'Landscape', to: 'Seascape' } },
        { type: 'CategoryDescribed', data: { id: 'c1', from: '', to: 'Water' } },
        { type: 'CategoryDeactivated', data: { id: 'c1', name: 'Seascape' } },
        { type: 'CategoryReordered', data: { id: 'c1', from: 0, to: 4 } },
      ),
    )
  })
  test('an inactive one can be made active', () => {
    const off: CategoryEvent = { type: 'CategoryDeactivated', data: { id: 'c1', name: 'Landscape' } }
    expect(given(categories, landscape, off).when(revise({ isActive: true }))).toEqual(
      causes({ type: 'CategoryActivated', data: { id: 'c1', name: 'Landscape' } }),
    )
  })
  test('the entry sent back as it is changes nothing', () => {
    expect(given(categories, landscape).when(revise({ name: 'Landscape', ...fields }))).toEqual(causes())
  })
  test('its own name may change its letters', () => {
    expect(given(categories, landscape).when(revise({ name: 'LANDSCAPE' }))).toEqual(
      causes({ type: 'CategoryRenamed', data: { id: 'c1', from: 'Landscape', to: 'LANDSCAPE' } }),
    )
  })
  test("another's name is taken", () => {
    expect(given(categories, landscape, portrait).when(revise({ name: 'portrait' }))).toMatchObject(
      refuses('taken', 'name'),
    )
  })
  test('a place in the order is a whole number', () => {
    expect(given(categories, landscape).when(revise({ sortOrder: 1.5 }))).toMatchObject(
      refuses('invalid', 'sortOrder'),
    )
  })
})

describe('deleting', () => {
  test('a deletion keeps the name for the activity log', () => {
    expect(given(categories, landscape).when({ type: 'Delete', id: 'c1' })).toEqual(causes(deleted))
  })
  test.each([{ type: 'Delete', id: 'c1' }, revise({ name: 'X' })] satisfies TaxonomyCommand[])(
    'one that never was or is deleted refuses $type as missing',
    (command) => {
      expect(given(categories).when(command)).toMatchObject(refuses('missing'))
      expect(given(categories, landscape, deleted).when(command)).toMatchObject(refuses('missing'))
      expect(given(categories, landscape, deleted).versionFor(command)).toBeNull()
    },
  )
})

describe('samples', () => {
  test('of those that no work uses only samples are removed', () => {
    const command: TaxonomyCommand = { type: 'RemoveUnusedSamples', ids: ['c1', 'c2', 'c3'] }
    const history = [landscape, portrait]
    expect(given(categories, ...history).when(command)).toEqual(
      causes({ type: 'CategoryDeleted', data: { id: 'c2', name: 'Portrait' } }),
    )
    expect(given(categories, ...given(categories, ...history).after(command)).when(command)).toEqual(causes())
    expect(given(categories).versionFor(command)).toBeNull()
  })
  test('a sample that a work uses stays', () => {
    expect(given(categories, portrait).when({ type: 'RemoveUnusedSamples', ids: [] })).toEqual(causes())
    expect(sampleIds(given(categories, landscape, portrait).state)).toEqual(['c2'])
  })
})

test('each entry has a version of its own', () => {
  const described: CategoryEvent = { type: 'CategoryDescribed', data: { id: 'c1', from: '', to: 'x' } }
  const set = given(categories, landscape, portrait, described)
  expect(set.versionFor(revise({}))).toBe(2)
  expect(set.versionFor(revise({}, 'c2'))).toBe(1)
  expect(set.versionFor(revise({}, 'c3'))).toBeNull()
})

describe('reading', () => {
  test('a name is found whatever its letters and blanks, unless deleted', () => {
    expect(findByName(given(categories, landscape).state, ' landSCAPE')).toEqual({
      id: 'c1',
      name: 'Landscape',
    })
    expect(findByName(given(categories, landscape, deleted).state, 'Landscape')).toBeNull()
    expect(findByName(given(categories).state, 'Landscape')).toBeNull()
  })
  test('an id stands for its last name, also when it is deleted', () => {
    const renamed: CategoryEvent = {
      type: 'CategoryRenamed',
      data: { id: 'c1', from: 'Landscape', to: 'Land' },
    }
    expect(namesById(given(categories, landscape, portrait, renamed, deleted).state)).toEqual({
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
