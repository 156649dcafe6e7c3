import { expect, it } from 'vitest'
import { ApiError } from '../../lib/api.ts'
import { createCommandIds } from './sending.ts'

const ids = () => {
  let last = 0
  return createCommandIds(() => `id-${(last += 1)}`)
}
const send = (commands: ReturnType<typeof ids>, body: object, answer: Promise<unknown>): string => {
  const id = commands.of('POST', '/api/artworks', body)
  commands.settle(id, answer).catch(() => undefined)
  return id
}

it('gives a repeat after a lost answer the same id', async () => {
  const commands = ids()
  const first = send(commands, { title: 'a' }, Promise.reject(new TypeError('Failed to fetch')))
  await Promise.resolve()
  expect(send(commands, { title: 'a' }, Promise.resolve())).toBe(first)
})

it('keeps the id over a 503, of which nobody knows whether it acted', async () => {
  const commands = ids()
  const first = send(commands, { title: 'a' }, Promise.reject(new ApiError(503, '', '')))
  await new Promise((resolve) => setTimeout(resolve))
  expect(commands.of('POST', '/api/artworks', { title: 'a' })).toBe(first)
})

it.each([
  ['a success', () => Promise.resolve()],
  ['a refusal', () => Promise.reject(new ApiError(422, '', ''))],
])('gives a new id after %s', async (_, answer) => {
  const commands = ids()
  const first = send(commands, { title: 'a' }, answer())
  await new Promise((resolve) => setTimeout(resolve))
  expect(commands.of('POST', '/api/artworks', { title: 'a' })).not.toBe(first)
})

it('gives another body another id, which the server would refuse under the old one', () => {
  const commands = ids()
  expect(commands.of('PUT', '/x', { a: 1 })).not.toBe(commands.of('PUT', '/x', { a: 2 }))
})

it('takes a command for a new one after a later one about the same entity was decided', async () => {
  const commands = ids()
  const put = (path: string, body: object, answer: Promise<unknown>): string => {
    const id = commands.of('PUT', path, body)
    commands.settle(id, answer).catch(() => undefined)
    return id
  }
  const lost = () => Promise.reject(new TypeError('Failed to fetch'))
  const hidden = put('/api/artworks/7', { isAvailable: false }, lost())
  const other = put('/api/artworks/8', { isAvailable: false }, lost())
  await new Promise((resolve) => setTimeout(resolve))
  put('/api/artworks/7', { isAvailable: true }, Promise.resolve())
  await new Promise((resolve) => setTimeout(resolve))
  expect(commands.of('PUT', '/api/artworks/7', { isAvailable: false })).not.toBe(hidden)
  expect(commands.of('PUT', '/api/artworks/8', { isAvailable: false })).toBe(other)
})

it('keeps the id of a new work whose answer was lost, while others are added', async () => {
  const commands = ids()
  const first = send(commands, { title: 'a' }, Promise.reject(new TypeError('Failed to fetch')))
  await new Promise((resolve) => setTimeout(resolve))
  send(commands, { title: 'b' }, Promise.resolve())
  await new Promise((resolve) => setTimeout(resolve))
  expect(commands.of('POST', '/api/artworks', { title: 'a' })).toBe(first)
})
