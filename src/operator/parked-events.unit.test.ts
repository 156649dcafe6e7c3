import { expect, it } from 'vitest'
import { parkedInWords } from './parked-events.ts'

it('advises to build views anew only where every event can be read', () => {
  expect(parkedInWords(2, null)).toMatch(/^2 events .*: update Atelier, then run .* rebuild --all"$/)
  expect(parkedInWords(1, { count: 1, first: 'event 0 of artwork-a' })).toBe(
    '1 event could not be projected, as the log has some that cannot be read',
  )
})
