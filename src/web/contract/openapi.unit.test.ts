import { describe, expect, it } from 'vitest'
import { answersOf, type Call } from './call.ts'
import { calls } from './calls.ts'
import { openApiDocument } from './openapi.ts'

const table: [string, Call][] = Object.entries(calls)
// As a reader gets it: plain JSON.
const document = JSON.parse(JSON.stringify(openApiDocument(calls, { version: '1.2.3', cookie: 'session' })))

/** Every value under `key`, at any depth. */
const valuesOf = (key: string, value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [
    ...(name === key ? [child] : []),
    ...valuesOf(key, child),
  ])
}

const resolve = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce((node, key) => node?.[key], document)

describe('the OpenAPI document', () => {
  it.each(table)('describes %s', (_, call) => {
    const operation = document.paths[call.path][call.method.toLowerCase()]
    expect(operation.operationId).toBe(call.name)
    expect(Object.keys(operation.responses)).toEqual(Object.keys(answersOf(call)))
    expect(operation.security).toEqual(call.access === 'owner' ? [{ session: [] }] : [])
    expect(operation.requestBody !== undefined).toBe(call.body !== undefined || call.consumes === 'multipart')
    for (const response of Object.values<{ description: string }>(operation.responses)) {
      expect(response.description).not.toBe('')
    }
  })

  it('describes nothing else', () => {
    const described = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(table.map(([, call]) => `${call.method} ${call.path}`).sort())
  })

  it('names each operation once', () => {
    const names = valuesOf('operationId', document.paths)
    expect(new Set(names).size).toBe(names.length)
  })

  it('has an answer for every reference, and references that need one', () => {
    const references = valuesOf('$ref', document).map(String)
    expect(references).toContain('#/components/schemas/Artwork')
    const elsewhere = references.filter((reference) => !/^#\/components\/schemas\/\w+$/.test(reference))
    expect(elsewhere).toEqual([])
    expect(references.filter((reference) => typeof resolve(reference) !== 'object')).toEqual([])
  })

  it('declares every parameter of every path, and requires it', () => {
    for (const [path, operations] of Object.entries<
      Record<string, { parameters: { name: string; in: string; required: boolean }[] }>
    >(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters } of Object.values(operations)) {
        const declared = parameters.filter((parameter) => parameter.in === 'path')
        expect(declared.map((parameter) => parameter.name)).toEqual(inPath)
        expect(declared.every((parameter) => parameter.required)).toBe(true)
      }
    }
  })

  it.each(['$schema', 'definitions', '$defs', 'const', 'exclusiveMinimum', 'propertyNames'])(
    'does not use %s, which OpenAPI 3.0 does not know',
    (word) => {
      expect(valuesOf(word, document)).toEqual([])
    },
  )

  it('says nullable, not null', () => {
    expect(valuesOf('type', document)).not.toContain('null')
  })

  it('says what is sent and what is answered apart', () => {
    const sent = document.paths['/api/artworks'].post.requestBody.content['application/json'].schema
    expect(sent.required).toEqual(['title', 'imageUrl'])
    expect(sent.properties.price).toMatchObject({ type: 'integer', minimum: 0, maximum: 100_000_000 })
    expect(document.components.schemas.Artwork.required).toContain('slug')
  })

  it('describes the upload and the form by their own content types', () => {
    expect(Object.keys(document.paths['/api/upload/image'].post.requestBody.content)).toEqual([
      'multipart/form-data',
    ])
    expect(Object.keys(document.paths['/contact'].post.requestBody.content)).toEqual([
      'application/x-www-form-urlencoded',
    ])
    expect(Object.keys(document.paths['/api/changes'].get.responses['200'].content)).toEqual([
      'text/event-stream',
    ])
  })
})
