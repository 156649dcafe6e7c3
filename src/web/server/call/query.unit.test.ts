import { describe, expect, it } from 'vitest'
import { queryIn } from './query.ts'

describe('the query of a request', () => {
  it('says each field once, and one that is said twice as a list', () => {
    expect(queryIn({ querystring: 'category=Oil+%E0%A4%86&a=1&a=2&empty=' })).toEqual({
      category: 'Oil आ',
      a: ['1', '2'],
      empty: '',
    })
  })

  it('is read no further than any call has fields', () => {
    expect(queryIn({ querystring: '&a'.repeat(7_700) })).toEqual({
      a: expect.toSatisfy((values: string[]) => values.length <= 50),
    })
    expect(
      Object.keys(queryIn({ querystring: Array.from({ length: 900 }, (_, n) => `f${n}`).join('&') })),
    ).toHaveLength(50)
  })
})
