import { expect, test } from 'vitest'
import { isUnknown, nameOptions, searchNames } from './typed-names.ts'

const entries = [
  { name: 'Landscape', isActive: true },
  { name: 'Land Art', isActive: true },
  { name: 'Murals', isActive: false },
]
const labels = (...kept: string[]) => nameOptions(entries, kept, 'No category').map(({ label }) => label)

test('only active ones are offered', () => {
  expect(labels('')).toEqual(['No category', 'Landscape', 'Land Art'])
  expect(labels('Landscape')).toEqual(['No category', 'Landscape', 'Land Art'])
})

test('the inactive one of the work is offered once, and says so', () => {
  expect(labels('Murals', 'Murals')).toEqual(['No category', 'Landscape', 'Land Art', 'Murals (inactive)'])
  expect(nameOptions(entries, ['Murals'], '').at(-1)?.value).toBe('Murals')
})

test('a name that is not in the set any more stays on its work, beside the one that is chosen', () => {
  expect(labels('Frescoes', 'Landscape')).toEqual(['No category', 'Landscape', 'Land Art', 'Frescoes'])
})

test.each([
  ['Frescoes', entries, true],
  ['Murals', entries, false],
  ['', entries, false],
  ['Frescoes', undefined, false],
])('%j among %j: is it unknown?', (name, known, isIt) => {
  expect(isUnknown(name, known)).toBe(isIt)
})

const search = (typed: string, ...kept: string[]) => {
  const { fitting, named, off, addable } = searchNames(nameOptions(entries, kept, 'None'), entries, typed)
  return { fitting: fitting.map(({ value }) => value), named: named?.value ?? null, off, addable }
}

test('typing narrows the options, and offers what is typed as a new name', () => {
  expect(search('land')).toEqual({
    fitting: ['Landscape', 'Land Art'],
    named: null,
    off: null,
    addable: 'land',
  })
  expect(search('  Rain   and mist ')).toEqual({
    fitting: [],
    named: null,
    off: null,
    addable: 'Rain and mist',
  })
})

test.each(['landscape', ' LANDSCAPE ', 'Ｌandscape'])(
  '%j is Landscape, and is not offered again',
  (typed) => {
    expect(search(typed)).toMatchObject({ named: 'Landscape', addable: null })
  },
)

test('one that is switched off is neither offered nor added a second time', () => {
  expect(search('murals')).toEqual({ fitting: [], named: null, off: 'Murals', addable: null })
  expect(search('murals', 'Murals')).toMatchObject({ fitting: ['Murals'], named: 'Murals', off: null })
})

test('nothing typed means none', () => {
  expect(search(' ')).toMatchObject({ fitting: ['', 'Landscape', 'Land Art'], named: '', addable: null })
})

test('the name that is typed whole stands before those that hold it, for Enter takes the first', () => {
  const ordered = [...entries, { name: 'Land', isActive: true }]
  const { fitting } = searchNames(nameOptions(ordered, [], 'None'), ordered, 'land')
  expect(fitting.map(({ value }) => value)).toEqual(['Land', 'Landscape', 'Land Art'])
})
