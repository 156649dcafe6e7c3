import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newArtwork } from './artworks.ts'
import { errorBody, unauthorized } from './errors.ts'
import { body } from './field-schemas.ts'
import { refusal } from './testing/refusal.ts'

describe('the body of a 422', () => {
  it('names each field once, and all of them in one line', () => {
    const answer = refusal(newArtwork, { title: '', price: 'abc' })
    expect(answer).toEqual({
      message:
        'Title is required; Please upload an image or provide an image URL.; Price must be a whole number of rupees between 0 and 10,00,00,000',
      fields: {
        title: 'Title is required',
        imageUrl: 'Please upload an image or provide an image URL.',
        price: 'Price must be a whole number of rupees between 0 and 10,00,00,000',
      },
    })
    expect(errorBody.parse(answer)).toEqual(answer)
  })

  it('names a nested field by its path', () => {
    const nested = body({ a: z.array(z.strictObject({ b: z.int('b must be a number') })) })
    expect(refusal(nested, { a: [{ b: 1 }, { b: 'x', c: 1 }] }).fields).toEqual({
      'a.1.b': 'b must be a number',
      'a.1.c': '"c" is not a field of this call',
    })
  })

  it('does not send a flood of unknown keys back', () => {
    const flood = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${'k'.repeat(500)}${n}`, n]))
    expect(JSON.stringify(refusal(newArtwork, flood)).length).toBeLessThan(10_000)
  })

  it('never holds the word of a 401', () => {
    expect(JSON.stringify(refusal(newArtwork, {}))).not.toContain(unauthorized.message)
  })
})
