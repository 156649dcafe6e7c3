import { expect, it } from 'vitest'
import { openTurns } from './turns.ts'

it('does the work of a key one after the other, also after one that failed, and other keys meanwhile', async () => {
  const turns = openTurns()
  const done: string[] = []
  const first = Promise.withResolvers<void>()
  const failing = turns.take('a', async () => {
    await first.promise
    done.push('a1')
    throw new Error('no')
  })
  const second = turns.take('a', async () => done.push('a2'))
  await turns.take('b', async () => done.push('b'))
  expect(done).toEqual(['b'])
  first.resolve()
  await expect(failing).rejects.toThrow('no')
  expect(await second).toBe(3)
  expect(done).toEqual(['b', 'a1', 'a2'])
})
