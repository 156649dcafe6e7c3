import { expect, it } from 'vitest'
import { sharedWork } from './shared-work.ts'

it('is done once for all who ask at the same time, and again afterwards', async () => {
  const once = sharedWork<number>()
  let done = 0
  const work = async () => (done += 1)
  expect(await Promise.all([once('a', work), once('a', work), once('b', work)])).toEqual([1, 1, 2])
  expect(await once('a', work)).toBe(3)
})

it('fails for all who wait, and is tried again by the next', async () => {
  const once = sharedWork<string>()
  const failing = () => Promise.reject(new Error('away'))
  const both = await Promise.allSettled([once('a', failing), once('a', failing)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await once('a', async () => 'back')).toBe('back')
})
