import { expect, it } from 'vitest'
import { createPresses } from './one-press.ts'

const click = (what: string, isRepeat = false) => ({ what, by: 'pointer', isRepeat, at: 0 }) as const
const enter = (what: string, at: number, isRepeat = false) => ({ what, by: 'key', isRepeat, at }) as const

it.each([
  ['a double click', [click('Publish A'), click('Publish B', true), click('Publish B', true)]],
  ['a held key', [enter('Publish A', 0), enter('Publish B', 900, true), enter('Publish B', 930, true)]],
  ['a key pressed again at once', [enter('Publish A', 0), enter('Publish B', 300), enter('Hide B', 600)]],
])('%s presses nothing that has come to the place', (_, sent) => {
  const { isMeant } = createPresses()
  expect(sent.map(isMeant)).toEqual([true, false, false])
})

it.each([
  ['the same, as quickly as one likes', [enter('Move up: A', 0), enter('Move up: A', 30, true)]],
  ['another after a pause', [enter('Publish A', 0), enter('Publish B', 500)]],
  ['another by a click of its own', [click('Publish A'), click('Publish B')]],
  ['what a click has brought the focus to', [click('Delete A'), enter('Cancel', 10)]],
])('presses %s', (_, sent) => {
  const { isMeant } = createPresses()
  expect(sent.map(isMeant)).toEqual([true, true])
})

it('presses what another key has led to', () => {
  const { isMeant, forget } = createPresses()
  isMeant(enter('Publish A', 0))
  forget()
  expect(isMeant(enter('Publish B', 100))).toBe(true)
})
