import { expect, it } from 'vitest'
import { searchBy } from './search.ts'

const neel = { title: 'Nèel, after the Rains' }
const kajal = { title: 'Kajal नीला' }
const all = [neel, kajal]
const search = searchBy(({ title }: { title: string }) => title)

it.each(['neel', 'NÉEL', ' rains  neel ', 'nee'])(
  'finds by %j, whatever case, accents and order',
  (wanted) => {
    expect(search(all, wanted)).toEqual([neel])
  },
)

it('tells Indic vowel signs apart', () => {
  expect(search(all, 'नीला')).toEqual([kajal])
  expect(search(all, 'नला')).toEqual([])
})

it('finds nothing when one word is missing', () => {
  expect(search(all, 'neel kajal')).toEqual([])
})

it('gives the very list where nothing is wanted', () => {
  expect(search(all, '  ')).toBe(all)
})

it('folds a text of nothing but marks as quickly as another', () => {
  const list = Array.from({ length: 500 }, () => ({ text: `e${'\u0301\u0316'.repeat(2_500)}nd` }))
  const began = performance.now()
  expect(searchBy(({ text }: { text: string }) => text)(list, 'end')).toHaveLength(500)
  expect(performance.now() - began).toBeLessThan(3_000)
})
