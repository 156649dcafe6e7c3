import { expect, it } from 'vitest'
import { formatDay } from './day.ts'

it("takes India's day, so that server and browser agree", () => {
  expect(formatDay('2025-11-14T20:00:00.000Z')).toBe('15 November 2025')
})

it('is empty for what is no date', () => expect(formatDay('soon')).toBe(''))
