import { afterEach, expect, it, vi } from 'vitest'
import { browserStore } from '../testing/browser-store.ts'
import { ApiError } from '../../lib/api.ts'
import { createCommandIds } from './command-ids.ts'

/** @param kept what the browser has kept; the ids are another page's each time */
const ids = (kept = new Map<string, string>()) => {
  const page = Math.random()
  let last = 0
  return createCommandIds(() => `id-${page}-${(last += 1)}`, {
    get: (request) => kept.get(request) ?? null,
    set: (request, id) => kept.set(request, id),
    delete: (request) => kept.delete(request),
    all: () => [...kept.keys()],
  })
}
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
type Ids = ReturnType<typeof ids>
const changed = ['artworks'] as const
const add = (body: object) => ({ method: 'POST', path: '/api/artworks', body, changed })
const batch = (rows: readonly object[]) => ({
  method: 'POST',
  path: '/api/artworks/batch',
  body: { rows },
  changed,
})
const put = (path: string, body: object) => ({ method: 'PUT', path, body, changed })
const lost = () => Promise.reject(new TypeError('Failed to fetch'))
const send = (commands: Ids, body: object, answer: Promise<unknown>): string => {
  const id = commands.of(add(body))
  commands.settle(id, answer).catch(() => undefined)
  return id
}

it('gives a repeat after a lost answer the same id', async () => {
  const commands = ids()
  const first = send(commands, { title: 'a' }, lost())
  await Promise.resolve()
  expect(send(commands, { title: 'a' }, Promise.resolve())).toBe(first)
})

it('gives what is added the same id after the page was dropped, until an answer has come', async () => {
  const kept = new Map<string, string>()
  const first = send(ids(kept), { title: 'a' }, lost())
  await Promise.resolve()
  expect(send(ids(kept), { title: 'a' }, Promise.resolve())).toBe(first)
  await new Promise((resolve) => setTimeout(resolve))
  expect(ids(kept).of(add({ title: 'a' }))).not.toBe(first)
})

it('tells what is being added, also by a page that was dropped, until it is answered', async () => {
  const kept = new Map<string, string>()
  send(ids(kept), { title: 'a' }, lost())
  await Promise.resolve()
  const later = ids(kept)
  expect(later.beingAdded('/api/artworks')).toEqual([{ title: 'a' }])
  expect(later.beingAdded('/api/categories')).toEqual([])
  await later.settle(later.of(add({ title: 'a' })), Promise.resolve())
  expect(later.beingAdded('/api/artworks')).toEqual([])
})

it('gives several that are added together the same id after the page was dropped, and others another', () => {
  const kept = new Map<string, string>()
  const several = batch([{ fields: { title: 'a' } }, { fields: { title: 'b' } }])
  const first = ids(kept).of(several)
  expect(ids(kept).of(batch([{ fields: { title: 'c' } }]))).not.toBe(first)
  expect(ids(kept).of(several)).toBe(first)
})

it('drops the ids of a day ago from the browser, which the server has forgotten too', () => {
  vi.useFakeTimers({ now: new Date('2026-11-14T09:12:00Z') })
  const store = browserStore()
  vi.stubGlobal('localStorage', store)
  const page = () => createCommandIds(() => `id-${Math.random()}`)
  const first = page().of(add({ title: 'a' }))
  vi.advanceTimersByTime(23 * 3_600_000)
  expect(page().of(add({ title: 'a' }))).toBe(first)
  page().of(add({ title: 'b' }))
  vi.advanceTimersByTime(3_600_000)
  expect(page().of(add({ title: 'a' }))).not.toBe(first)
  vi.advanceTimersByTime(23 * 3_600_000)
  page().of(add({ title: 'c' }))
  expect(Object.keys(store).map((key) => key.split(' ').at(-1))).toEqual(['{"title":"a"}', '{"title":"c"}'])
})

it('keeps the id over a 503, of which nobody knows whether it acted', async () => {
  const commands = ids()
  const first = send(commands, { title: 'a' }, Promise.reject(new ApiError(503, '', '')))
  await new Promise((resolve) => setTimeout(resolve))
  expect(commands.of(add({ title: 'a' }))).toBe(first)
})

it.each([
  ['a success', () => Promise.resolve()],
  ['a refusal', () => Promise.reject(new ApiError(422, '', ''))],
])('gives a new id after %s', async (_, answer) => {
  const commands = ids()
  const first = send(commands, { title: 'a' }, answer())
  await new Promise((resolve) => setTimeout(resolve))
  expect(commands.of(add({ title: 'a' }))).not.toBe(first)
})

const turnedAway = () => Promise.reject(new ApiError(401, '', ''))

it('keeps the id of a lost answer where the session has ended when it is asked for again, also by a later page', async () => {
  const kept = new Map<string, string>()
  const commands = ids(kept)
  const first = send(commands, { title: 'a' }, lost())
  await new Promise((resolve) => setTimeout(resolve))
  for (const page of [commands, ids(kept), ids(kept)]) {
    expect(send(page, { title: 'a' }, turnedAway())).toBe(first)
    await new Promise((resolve) => setTimeout(resolve))
  }
  expect(ids(kept).beingAdded('/api/artworks')).toEqual([{ title: 'a' }])
})

it('forgets the id of what was only ever turned away', async () => {
  const kept = new Map<string, string>()
  send(ids(kept), { title: 'a' }, turnedAway())
  await new Promise((resolve) => setTimeout(resolve))
  expect(ids(kept).beingAdded('/api/artworks')).toEqual([])
})

it('gives another body another id, which the server would refuse under the old one', () => {
  const commands = ids()
  expect(commands.of(put('/x', { a: 1 }))).not.toBe(commands.of(put('/x', { a: 2 })))
})

it('takes a command for a new one after a later one about the same entity was decided', async () => {
  const commands = ids()
  const change = (path: string, body: object, answer: Promise<unknown>): string => {
    const id = commands.of(put(path, body))
    commands.settle(id, answer).catch(() => undefined)
    return id
  }
  const hidden = change('/api/artworks/7', { isAvailable: false }, lost())
  const other = change('/api/artworks/8', { isAvailable: false }, lost())
  await new Promise((resolve) => setTimeout(resolve))
  change('/api/artworks/7', { isAvailable: true }, Promise.resolve())
  await new Promise((resolve) => setTimeout(resolve))
  expect(commands.of(put('/api/artworks/7', { isAvailable: false }))).not.toBe(hidden)
  expect(commands.of(put('/api/artworks/8', { isAvailable: false }))).toBe(other)
})

it('takes a command for a new one after another about the same entity, also where no answer came to either', async () => {
  const commands = ids()
  const hide = put('/api/artworks/7', { isAvailable: false })
  const form = put('/api/artworks/7', { title: 'a', expectedVersion: 1 })
  const unanswered = async (request: ReturnType<typeof put>): Promise<string> => {
    const id = commands.of(request)
    await commands.settle(id, lost()).catch(() => undefined)
    return id
  }
  const [saved, hidden] = [await unanswered(form), await unanswered(hide)]
  expect(await unanswered(hide)).toBe(hidden)
  await unanswered(put('/api/artworks/7', { isAvailable: true }))
  expect(commands.of(hide)).not.toBe(hidden)
  // The version that it names keeps it from writing over anything.
  expect(commands.of(form)).toBe(saved)
})

it('keeps the id of a new work whose answer was lost, while others are added', async () => {
  const commands = ids()
  const first = send(commands, { title: 'a' }, lost())
  await new Promise((resolve) => setTimeout(resolve))
  send(commands, { title: 'b' }, Promise.resolve())
  await new Promise((resolve) => setTimeout(resolve))
  expect(commands.of(add({ title: 'a' }))).toBe(first)
})

it.each([
  ['a switch', put('/api/artworks/7', { isAvailable: false }), true],
  ['the removal of the samples', { method: 'DELETE', path: '/api/samples', body: undefined, changed }, true],
  ['a deletion', { method: 'DELETE', path: '/api/artworks/7', body: undefined, changed }, true],
  ['a change of many at once', batch([{ fields: { title: 'a' } }, { id: '7', fields: {} }]), true],
  ['what adds several', batch([{ fields: { title: 'a' } }]), false],
  ['a form, which names its version', put('/api/artworks/7', { title: 'a', expectedVersion: 1 }), false],
  ['a new artwork', add({ title: 'a' }), false],
])('knows after an artwork has changed whether %s is a new command', (_, request, isNew) => {
  const commands = ids()
  const first = commands.of(request)
  commands.hear(['categories'])
  expect(commands.of(request)).toBe(first)
  commands.hear(['artworks', 'activity'])
  expect(commands.of(request) !== first).toBe(isNew)
})
