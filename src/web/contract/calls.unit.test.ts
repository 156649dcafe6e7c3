import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Artwork } from './artworks.ts'
import type { Call } from './call.ts'
import { type Answer, type Body, type BodyInput, calls, type Query } from './calls.ts'

const table: [string, Call][] = Object.entries(calls)

/** What the specification demands, then the additive calls. */
const promisedCalls = [
  'GET /api/auth/user',
  'POST /api/login',
  'POST /api/logout',
  'GET /api/site-content',
  'PUT /api/site-content',
  'GET /api/artworks',
  'POST /api/artworks',
  'PUT /api/artworks/{id}',
  'DELETE /api/artworks/{id}',
  'GET /api/categories',
  'POST /api/categories',
  'PUT /api/categories/{id}',
  'DELETE /api/categories/{id}',
  'GET /api/mediums',
  'POST /api/mediums',
  'PUT /api/mediums/{id}',
  'DELETE /api/mediums/{id}',
  'GET /api/blog-posts',
  'POST /api/blog-posts/sync',
  'POST /api/contact',
  'GET /api/contact-messages',
  'PUT /api/contact-messages/{id}/read',
  'DELETE /api/contact-messages/{id}',
  'POST /api/upload/image',
  'GET /api/login',
  'GET /api/artworks/{id}',
  'POST /api/artworks/{id}/restore',
  'PUT /api/artworks/{id}/position',
  'GET /api/artworks.csv',
  'PUT /api/blog-posts/{id}',
  'GET /api/blog-posts/sync',
  'GET /api/activity',
  'POST /api/activity/{id}/undo',
  'GET /api/changes',
  'PUT /api/account/password',
  'PUT /api/account/first-steps',
  'GET /api/account/sessions',
  'DELETE /api/account/sessions',
  'DELETE /api/account/sessions/{id}',
  'DELETE /api/samples',
  'GET /api/samples',
  'POST /api/artworks/batch',
  'PUT /api/categories/{id}/position',
  'PUT /api/mediums/{id}/position',
  'GET /api/status',
  'GET /api/jobs',
  'POST /api/jobs/{id}/retry',
  'GET /api/openapi.json',
  'POST /contact',
]

/** Every other call needs a session. */
const forAnyone = [
  'GET /api/artworks',
  'GET /api/artworks/{id}',
  'GET /api/blog-posts',
  'GET /api/categories',
  'GET /api/changes',
  'GET /api/login',
  'GET /api/mediums',
  'GET /api/openapi.json',
  'GET /api/site-content',
  'POST /api/contact',
  'POST /api/login',
  'POST /api/logout',
  'POST /contact',
]

const addressOf = (call: Call): string => `${call.method} ${call.path}`

describe('the table of calls', () => {
  it('holds every promised call once and no other', () => {
    expect(table.map(([, call]) => addressOf(call)).sort()).toEqual([...promisedCalls].sort())
  })

  it('lets visitors do what a visitor may, and nothing else', () => {
    const open = table.filter(([, call]) => call.access === 'anyone').map(([, call]) => addressOf(call))
    expect(open.sort()).toEqual(forAnyone)
  })

  it.each(table)('%s is complete in itself', (key, call) => {
    expect(call.name).toBe(key)
    expect(call.params !== undefined).toBe(call.path.includes('{'))
    expect(call.consumes !== undefined).toBe(call.method !== 'GET')
    expect(call.body !== undefined).toBe(call.consumes === 'json' || call.consumes === 'form')
    expect(Object.keys(call.answers).some((code) => Number(code) < 400)).toBe(true)
  })

  it('keeps the types of both sides', () => {
    expectTypeOf<Answer<'listArtworks'>>().toEqualTypeOf<Artwork[]>()
    expectTypeOf<Answer<'addArtwork'>>().toEqualTypeOf<Artwork>()
    expectTypeOf<Answer<'deleteArtwork'>>().toEqualTypeOf<null>()
    expectTypeOf<Body<'changeArtwork'>>().toHaveProperty('price').toEqualTypeOf<number | undefined>()
    expectTypeOf<BodyInput<'changeArtwork'>>()
      .toHaveProperty('price')
      .toEqualTypeOf<string | number | undefined>()
    expectTypeOf<Query<'listArtworks'>>().toHaveProperty('deleted').toEqualTypeOf<boolean | undefined>()
    expect(calls.listArtworks.path).toBe('/api/artworks')
  })
})
