import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addArtwork, deleteArtwork, listActivity, listArtworks } from '#web/contract/addresses.ts'
import { ApiError, call, requestOf } from './api.ts'

const fetched = vi.fn<typeof fetch>()
beforeEach(() => vi.stubGlobal('fetch', fetched))
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
})

const answer = (status: number, body: string | null, statusText = '') =>
  fetched.mockResolvedValueOnce(new Response(body, { status, statusText }))

describe('call', () => {
  it('sends cookies and JSON, and gives the JSON of the answer', async () => {
    answer(201, '{"id":1}')
    expect(
      await call(addArtwork, { body: { title: 'Haldi', imageUrl: '/h.jpg' }, idempotencyKey: 'k' }),
    ).toEqual({
      id: 1,
    })
    expect(fetched).toHaveBeenCalledWith('/api/artworks', {
      method: 'POST',
      credentials: 'include',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: '{"title":"Haldi","imageUrl":"/h.jpg"}',
    })
  })

  it('takes an empty answer in the place of ours for none', async () => {
    answer(200, '')
    await expect(call(listArtworks, {})).rejects.toThrow(SyntaxError)
  })

  it('gives nothing for an empty answer', async () => {
    answer(204, null)
    expect(await call(deleteArtwork, { params: { id: '1' } })).toBeNull()
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/artworks/1')
  })

  it.each([
    [422, '{"message":"Title is required"}', '422: {"message":"Title is required"}'],
    [503, 'busy', '503: busy'],
    [500, '', '500: Internal Server Error'],
  ])('a %i throws its status and text', async (status, body, message) => {
    answer(status, body, 'Internal Server Error')
    await expect(call(listArtworks, {})).rejects.toThrow(new ApiError(status, 'Internal Server Error', body))
    answer(status, body, 'Internal Server Error')
    await expect(call(listArtworks, {})).rejects.toThrow(message)
  })
})

describe('the request of a call', () => {
  it('has what is sent in its path, escaped', () => {
    expect(requestOf(deleteArtwork, { params: { id: 'a/$&?' } })).toEqual({
      method: 'DELETE',
      path: '/api/artworks/a%2F%24%26%3F',
    })
    expect(requestOf(listActivity, { query: { before: 'a b', artworkId: '7' } }).path).toBe(
      '/api/activity?before=a+b&artworkId=7',
    )
    expect(requestOf(listActivity, {}).path).toBe('/api/activity')
  })
})

describe('ApiError', () => {
  it('knows the sentence and the fields of a refusal', () => {
    const error = new ApiError(422, '', '{"message":"No","fields":{"title":"Title is required","odd":1}}')
    expect(error.serverMessage).toBe('No')
    expect(error.fields).toEqual({ title: 'Title is required' })
  })

  it.each(['<html>', '', 'null', '[]', '{"fields":7}'])('finds neither in %s', (text) => {
    const error = new ApiError(502, 'Bad Gateway', text)
    expect(error.serverMessage).toBeNull()
    expect(error.fields).toEqual({})
  })
})
