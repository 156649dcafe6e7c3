import { expect, it } from 'vitest'
import { laterFields } from '#domain/artworks/fields.ts'
import { artworkInput } from '../testing/artwork-input.ts'
import { cellsOf } from './row-cells.ts'

/** As a version has it that knows one field more. */
const newer = [...laterFields, { name: 'edition', since: 99, unset: '' }]
const row = artworkInput({ title: 'Rain' })

it('a row is known to a version with one field more, in which nothing is said', () => {
  expect(cellsOf({ ...row, edition: '' } as typeof row, newer)).toBe(cellsOf(row))
  expect(cellsOf({ ...row, edition: '1 of 5' } as typeof row, newer)).not.toBe(cellsOf(row))
})

// The ids of works are made of it: those of tables that were sent before must not change.
it('a row is known by all fields that there were at first', () => {
  expect(Object.keys(JSON.parse(cellsOf(row)))).toEqual(Object.keys(row).toSorted())
  expect(cellsOf({ ...row, framing: 'unsaid' })).not.toBe(cellsOf({ ...row, framing: 'framed' }))
  expect(cellsOf({ ...row, framing: 'unsaid' })).toContain('"framing":"unsaid"')
})
