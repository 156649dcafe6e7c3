import { describe, expect, it } from 'vitest'
import { traceOf } from './carried.ts'

describe('a correlation', () => {
  it('that is a request’s id gives the trace and the span of that request', () => {
    expect(traceOf('0b0f1a52-7c0e-4d5b-9f3e-8a8b7c6d5e4f')).toEqual({
      traceId: '0b0f1a527c0e4d5b9f3e8a8b7c6d5e4f',
      spanId: '9f3e8a8b7c6d5e4f',
      traceFlags: null,
    })
  })

  it.each([
    ['00', 0],
    ['01', 1],
    ['02', 0],
    ['ff', 1],
  ])(
    'that an earlier version made of the sender’s trace (flags %s) gives it back, and whether it is sampled: %i',
    (flags, traceFlags) => {
      const correlation = `4bf92f35-77b3-4da6-a3ce-929d0e0e4736-00f067aa0ba902b7-${flags}`
      const context = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags }
      expect(traceOf(correlation)).toEqual(context)
    },
  )

  it.each(['sweep', 'first-start', '', '4bf92f3577b34da6a3ce929d0e0e4736'])(
    'that is a word gives none: %s',
    (word) => {
      expect(traceOf(word)).toBeNull()
    },
  )
})
