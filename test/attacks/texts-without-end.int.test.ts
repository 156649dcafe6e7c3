import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { Call } from '#web/contract/call.ts'
import { calls } from '#web/contract/calls.ts'
import { signIn, type Site } from '../support/site.ts'
import { describeAttacks, tooLongMs, whileAsking } from './under-attack.ts'
import { workedMs } from './worked-ms.ts'

/** Combining marks: each of them may belong before each other one, so that bringing them into order is quadratic. */
const marks = (bytes: number): string => '\u0300\u0316'.repeat(bytes / 4)
/** As much as a visitor's call may carry, with what stands around it. */
const visitors = marks(60_000)
/** As much as the owner's may. */
const megabyte = marks(1_000_000)
/** As much as an address may carry. */
const address = encodeURIComponent(marks(4_000))

/** Hundreds of megabytes go to the site and are looked through. */
const minutes = { timeout: 600_000 }

const someId = '0f6ee6a5-7f5e-4d55-9d62-2f3a6f3a9a11'

/** Every value that fits a schema's shape and holds the text in one of its places. */
const withText = (schema: z.core.JSONSchema._JSONSchema, text: string): readonly unknown[] => {
  if (typeof schema === 'boolean') return [text]
  const { properties, items, anyOf, oneOf } = schema
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([key, of]) =>
      withText(of, text).map((value) => ({ [key]: value })),
    )
  if (items !== undefined && !Array.isArray(items)) return withText(items, text).map((value) => [value])
  const variants = (anyOf ?? oneOf ?? []).filter((each) => typeof each === 'object' && each.type !== 'null')
  return variants.length === 0 ? [text] : variants.flatMap((each) => withText(each, text))
}

const placesOf = (schema: z.ZodType, text: string): readonly unknown[] =>
  withText(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), text)

interface Shot {
  readonly name: string
  readonly path: string
  readonly request: {
    readonly method: string
    readonly body?: BodyInit
    readonly headers?: Record<string, string>
  }
}

const pathOf = (call: Call, params = someId): string => call.path.replaceAll(/\{\w+\}/g, params)

const bodiesOf = (call: Call): readonly Shot[] => {
  if (call.body === undefined) return []
  const { body, method, name } = call
  return [...placesOf(body, megabyte), { [megabyte]: true }, megabyte, [megabyte]].map((value) => ({
    name: `${name} ${JSON.stringify(value).slice(0, 30)}`,
    path: pathOf(call),
    request: {
      method,
      headers: {
        'content-type': call.consumes === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
      },
      // A form's marks are written as they are: percent-encoded a sixth of them would fit.
      body:
        call.consumes === 'form'
          ? Object.entries(Object(value))
              .map((pair) => pair.join('='))
              .join('&')
          : JSON.stringify(value),
    },
  }))
}

const addressesOf = (call: Call): readonly Shot[] => {
  const { method, name } = call
  const queries = call.query === undefined ? [] : placesOf(call.query, address)
  return [
    ...(call.params === undefined ? [] : [pathOf(call, address)]),
    ...queries.map((value) => `${pathOf(call)}?${Object.entries(Object(value)).join('&').replace(',', '=')}`),
  ].map((path) => ({ name: `${name} ${path.slice(0, 40)}`, path, request: { method } }))
}

const uploads = (): readonly Shot[] => {
  const named = new FormData()
  named.append('image', new Blob(['no picture']), megabyte)
  const [field, value] = [new FormData(), new FormData()]
  field.append(megabyte, new Blob(['no picture']), 'a.jpg')
  value.append('image', megabyte)
  return [named, field, value].map((body, place) => ({
    name: `uploadImage ${place}`,
    path: '/api/upload/image',
    request: { method: 'POST', body },
  }))
}

const everyCall = Object.values<Call>(calls)
const everyShot = [...everyCall.flatMap(bodiesOf), ...everyCall.flatMap(addressesOf), ...uploads()]

await describeAttacks('texts without an end', (start) => {
  let site: Site
  beforeAll(async () => {
    site = await start()
  })
  afterAll(() => site?.stop())

  it('a password of combining marks is a wrong one, and nobody waits for it', async () => {
    const { result, waiting } = await whileAsking(site, async () => {
      const answers = []
      for (let times = 0; times < 3; times += 1)
        answers.push(
          await fetch(`${site.url}/api/login`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ username: 'admin', password: visitors }),
          }),
        )
      return answers.map(({ status }) => status)
    })
    expect(result).toEqual([401, 401, 401])
    expect(waiting.longestMs).toBeLessThan(tooLongMs)
  })

  it(
    'a megabyte of combining marks in any text of any call is refused, and nobody waits',
    minutes,
    async () => {
      expect(everyShot.length).toBeGreaterThan(100)
      const cookie = await signIn(site)
      const { result, waiting } = await whileAsking(site, async () => {
        const answers = []
        for (const { name, path, request } of everyShot) {
          const began = workedMs(site.process.pid)
          const answer = await fetch(site.url + path, {
            ...request,
            headers: { ...request.headers, cookie },
            redirect: 'manual',
          })
          await answer.body?.cancel()
          answers.push({
            name,
            path: path.slice(0, 60),
            status: answer.status,
            ms: workedMs(site.process.pid) - began,
          })
        }
        return answers
      })
      expect(result.filter(({ status }) => status >= 500)).toEqual([])
      // A query may ask for what is nowhere (a category, a way back): that is answered, with nothing in it.
      expect(result.filter(({ status, path }) => status < 400 && !path.includes('?'))).toEqual([])
      expect(result.filter(({ ms }) => ms >= tooLongMs)).toEqual([])
      expect(waiting.longestMs).toBeLessThan(tooLongMs)
    },
  )
})
