import { expect, it } from 'vitest'
import { countOutages } from './job-queue.ts'

it('lets a job wait longer after each outage in a row, at most five minutes, and shortly again afterwards', () => {
  const outages = countOutages()
  const waits = Array.from({ length: 8 }, () => outages.met('a'))
  expect(waits).toEqual([2, 10, 30, 60, 120, 300, 300, 300].map((seconds) => seconds * 1_000))
  expect(outages.met('b')).toBe(2_000)
  outages.over('a')
  expect(outages.met('a')).toBe(2_000)
})
