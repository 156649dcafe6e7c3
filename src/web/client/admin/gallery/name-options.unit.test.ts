import { expect, test } from 'vitest'
import { nameOptions } from './name-options.ts'

const entries = [
  { name: 'Landscape', isActive: true },
  { name: 'Murals', isActive: false },
]
const labels = (saved: string) => nameOptions(entries, saved, 'No category').map(({ label }) => label)

test('only active ones are offered', () => {
  expect(labels('')).toEqual(['No category', 'Landscape'])
  expect(labels('Landscape')).toEqual(['No category', 'Landscape'])
})

test('the inactive one of the work is offered once, and says so', () => {
  expect(labels('Murals')).toEqual(['No category', 'Landscape', 'Murals (inactive)'])
  expect(nameOptions(entries, 'Murals', '').at(-1)?.value).toBe('Murals')
})

test('a name that is not in the set any more stays on its work', () => {
  expect(labels('Frescoes')).toEqual(['No category', 'Landscape', 'Frescoes'])
})
