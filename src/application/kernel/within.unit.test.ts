import { expect, it, vi } from 'vitest'
import { within } from './within.ts'

it('gives what came in time, and leaves no timer behind', async () => {
  vi.useFakeTimers()
  expect(await within(Promise.resolve('here'), 1_000, () => 'late')).toBe('here')
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

it('gives or throws what was said for being late', async () => {
  const never = new Promise<never>(() => {})
  expect(await within(never, 1, () => 'late')).toBe('late')
  const tooLate = () => {
    throw new Error('no answer')
  }
  await expect(within(never, 1, tooLate)).rejects.toThrow('no answer')
})

it('hears nothing of what fails after its time', async () => {
  const work = Promise.withResolvers<never>()
  expect(await within(work.promise, 1, () => null)).toBeNull()
  // Unheard, this would end the test run.
  work.reject(new Error('too late to matter'))
})
