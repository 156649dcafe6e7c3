import { expect, it } from 'vitest'
import { createPresses, whatOf } from './one-press.ts'

type Sent = {
  key?: string
  repeat?: boolean
  what: string | null
  detail: number
  timeStamp: number
  clientX: number
  clientY: number
  pointerType: string
}
const click = (what: string | null, detail = 1): Sent => ({
  what,
  detail,
  timeStamp: 0,
  clientX: 100,
  clientY: 100,
  pointerType: 'mouse',
})
/** A tap in Safari, which counts each as the first. */
const tap = (what: string | null, timeStamp: number, clientY = 100): Sent => ({
  ...click(what),
  timeStamp,
  clientY,
  pointerType: 'touch',
})
const enter = (what: string, timeStamp: number, repeat = false): Sent => ({
  key: 'Enter',
  repeat,
  what,
  detail: 0,
  timeStamp,
  clientX: 0,
  clientY: 0,
  pointerType: '',
})
const space = (what: string, timeStamp: number, repeat = false): Sent => ({
  ...enter(what, timeStamp, repeat),
  key: ' ',
})

const answers = (sent: readonly Sent[]): readonly boolean[] => {
  const { hear, isMeant } = createPresses()
  return sent.map(({ key, repeat = false, what, ...event }) => {
    if (key !== undefined) hear({ key, repeat })
    return isMeant(what, event)
  })
}

it.each([
  ['a double click', [click('Publish A'), click('Publish B', 2), click('Publish B', 3)]],
  ['a double tap', [tap('Publish A', 0), tap('Publish B', 300, 108), tap('Publish B', 600)]],
  ['a double tap on what opens a dialog', [tap('Activity', 0), tap(null, 300), tap(null, 600)]],
  ['a held key', [enter('Publish A', 0), enter('Publish B', 900, true), enter('Publish B', 930, true)]],
  ['a key pressed again at once', [enter('Publish A', 0), enter('Publish B', 300), enter('Hide B', 600)]],
])('%s presses nothing that has come to the place', (_, sent) => {
  expect(answers(sent)).toEqual([true, false, false])
})

it.each([
  ['the same, as quickly as one likes', [enter('Move up: A', 0), enter('Move up: A', 30, true)]],
  ['another after a pause', [enter('Publish A', 0), enter('Publish B', 500)]],
  ['another by a click of its own', [click('Publish A'), click('Publish B')]],
  ['another by a tap of its own', [tap('Publish A', 0), tap('Publish B', 500)]],
  ['another at another place, as quickly as one likes', [tap('Publish A', 0), tap('Publish B', 100, 144)]],
  ['what a click has brought the focus to', [click('Delete A'), enter('Cancel', 10)]],
  [
    'another by Space that was held, which presses once',
    [space('Publish A', 0), space('Publish B', 900, true)],
  ],
])('presses %s', (_, sent) => {
  expect(answers(sent)).toEqual([true, true])
})

it('presses what another key has led to', () => {
  const { hear, isMeant } = createPresses()
  isMeant('Publish A', enter('Publish A', 0))
  hear({ key: 'Tab', repeat: false })
  expect(isMeant('Publish B', enter('Publish B', 100))).toBe(true)
})

const button = (attributes: Record<string, string>, entry?: string) => ({
  getAttribute: (name: string) => attributes[name] ?? null,
  // All that is asked of what is found is which entry it is.
  closest: () => (entry === undefined ? null : ({ dataset: { movable: entry } } as never)),
})

it('takes a switch for the same, whichever way it stands', () => {
  const eye = (isOn: boolean) => button({ 'aria-label': 'Published', 'aria-pressed': String(isOn) }, '7')
  expect(whatOf(eye(true))).toBe(whatOf(eye(false)))
})

it('takes buttons of other entries, of other names and without a name for others', () => {
  const unnamed = () => button({})
  const buttons = [
    button({ 'aria-label': 'Hide' }, '7'),
    button({ 'aria-label': 'Hide' }, '8'),
    button({ 'aria-label': 'Move up' }, '7'),
    button({ 'aria-label': 'Restore Untitled', 'data-of': 'one' }),
    button({ 'aria-label': 'Restore Untitled', 'data-of': 'another of that name' }),
    button({ 'data-of': 'the newest draft' }),
    button({ 'data-of': 'the one before' }),
    unnamed(),
    unnamed(),
  ]
  expect(new Set(buttons.map(whatOf)).size).toBe(buttons.length)
})
