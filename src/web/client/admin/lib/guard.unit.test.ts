import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isBeingLeft, releaseGuards } from './guard.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('asks again on a page that still stands long after it was to be left', () => {
  releaseGuards()
  // A slow line takes its time.
  vi.advanceTimersByTime(9_000)
  expect(isBeingLeft()).toBe(true)
  vi.advanceTimersByTime(1_000)
  expect(isBeingLeft()).toBe(false)
})
