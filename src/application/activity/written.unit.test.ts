import { expect, it } from 'vitest'
import { standing } from './written.ts'

it.each([
  { later: ['a', 'b'], stand: ['a', 'b'], what: 'all' },
  { later: ['a', 'undo of a', 'b'], stand: ['b'], what: 'neither what was undone nor its undo' },
  { later: ['a', 'b of a', 'c of b'], stand: ['c of b'], what: 'an undo of an undo' },
  { later: ['a', 'b of a', 'c of a'], stand: ['c of a'], what: 'what is no undo any more' },
  { later: ['a of an earlier one'], stand: ['a of an earlier one'], what: 'an undo of what came before' },
])('of later commands stand $stand: $what', ({ later, stand }) => {
  const commands = later.map((name) => {
    const [id = '', because = id] = name.split(' of ')
    const command = { because, changes: [name], touched: [] }
    return [id, command] as const
  })
  expect(standing(new Map(commands)).flatMap(({ changes }) => changes)).toEqual(stand)
})
