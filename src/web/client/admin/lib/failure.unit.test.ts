import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api.ts'
import { alertOf, failureOf, fieldErrors, isUnauthorized } from './failure.ts'

const answer = (status: number, body: object): ApiError => new ApiError(status, '', JSON.stringify(body))

describe('why a call failed', () => {
  it('is unauthorized by status or by the word', () => {
    expect(failureOf(answer(401, { message: 'Unauthorized' })).kind).toBe('unauthorized')
    expect(failureOf(new ApiError(500, '', 'Unauthorized')).kind).toBe('unauthorized')
  })

  it('is a conflict with the entity as it is now', () => {
    const failure = failureOf(answer(409, { message: 'Changed', current: { price: 3 } }))
    expect(failure).toMatchObject({ kind: 'conflict', current: { price: 3 } })
  })

  it('is offline when no answer came, and says that nothing is lost', () => {
    expect(failureOf(new TypeError('Failed to fetch'))).toMatchObject({
      kind: 'offline',
      message: expect.stringContaining('stays here'),
    })
  })

  it.each([
    [502, '<html>Bad gateway</html>', 'The site cannot answer just now (502).'],
    [413, '', 'The site did not take this (413).'],
  ])("says of a proxy's own answer %i what to do, and nothing of its page", (status, page, beginning) => {
    const { message } = failureOf(new ApiError(status, 'Said by the proxy', page))
    expect(message).toBe(`${beginning} Please try again in a moment; what you typed stays here.`)
  })

  it("carries a proxy's page that is no JSON of ours", () => {
    expect(failureOf(new ApiError(409, 'Conflict', '<html>'))).toMatchObject({
      kind: 'conflict',
      current: null,
    })
  })
})

describe('the sentence inside the form', () => {
  const clash = failureOf(
    answer(409, { message: 'There is already one', fields: { name: 'There is already one' } }),
  )

  it('is left out where the field says it', () => {
    expect(fieldErrors(clash)).toEqual({ name: 'There is already one' })
    expect(alertOf(clash, ['name'], 0)).toBeNull()
  })

  it('stands for fields that the form does not show', () => {
    expect(alertOf(clash, ['description'], 0)).toBe('There is already one')
  })

  it('is left to both values of a conflict, and asks to save again when other fields changed', () => {
    const stale = failureOf(answer(409, { message: 'Stale', current: {} }))
    expect(alertOf(stale, [], 1)).toBeNull()
    expect(alertOf(stale, [], 0)).toContain('Save again')
  })
})

describe('isUnauthorized', () => {
  it.each([
    [new ApiError(401, '', '{"message":"Unauthorized"}'), true],
    [new Error('Unauthorized'), true],
    [new ApiError(403, '', 'no'), false],
    [new ApiError(500, '', '401: not at the start'), false],
    [answer(409, { message: 'Unauthorized' }), true],
    [answer(409, { message: 'Changed', current: { artistBio: 'Unauthorized use is forbidden.' } }), false],
    [answer(409, { message: 'There is a category “Unauthorized” already' }), false],
    ['Unauthorized', false],
  ])('%s: %s', (error, expected) => expect(isUnauthorized(error)).toBe(expected))
})
