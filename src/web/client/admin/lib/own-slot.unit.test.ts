import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserStore } from '../testing/browser-store.ts'
import { draftNames, draftOf, keepDraft } from './drafts.ts'
import { createOwnSlot } from './own-slot.ts'

beforeEach(() => void vi.stubGlobal('localStorage', browserStore()))
afterEach(() => vi.unstubAllGlobals())

const before = new Date('2026-11-14T09:12:00Z')

it('keeps what is typed under the plain name where nothing stands', () => {
  expect(createOwnSlot('content').keep('typed')).toBe('content')
})

it('writes over no draft that is not decided yet, and forgets none', () => {
  keepDraft('content', 'earlier', before)
  const own = createOwnSlot('content')
  own.drop()
  const slot = own.keep('typed')
  expect(own.keep('typed on')).toBe(slot)
  expect(own.others(null)).toMatchObject({ slot: 'content', value: 'earlier' })
  own.drop()
  expect(draftOf('content')).toMatchObject({ slot: 'content', value: 'earlier' })
})

it('offers what stands in its own place, as long as it was not typed here', () => {
  const own = createOwnSlot('content')
  keepDraft('content', 'of another tab', before)
  expect(own.others(null)).toMatchObject({ value: 'of another tab' })
  own.take('content')
  expect(own.others(null)).toBeNull()
})

it('goes beside another tab that types, but not away from what it has written', () => {
  const late = createOwnSlot('content')
  late.giveWay()
  expect(late.keep('typed')).not.toBe('content')
  const first = createOwnSlot('content')
  first.keep('typed')
  first.giveWay()
  expect(first.keep('typed on')).toBe('content')
})

it('leaves what was put aside where it is, and does not offer it twice', () => {
  const own = createOwnSlot('content')
  const aside = own.keep('put aside')
  own.leave()
  const next = own.keep('typed again')
  expect(new Set([aside, next, own.keep('typed on')]).size).toBe(2)
  expect(own.others(null)).toMatchObject({ slot: aside })
  expect(own.others(aside)).toBeNull()
  own.drop()
  expect(draftOf('content')).toMatchObject({ slot: aside, value: 'put aside' })
  expect(draftNames('')).toEqual(['content'])
})

it('is not offered while it is saved, and again when that has failed', () => {
  const own = createOwnSlot('content')
  own.keep('typed')
  const end = own.withhold()
  expect(draftOf('content')).toBeNull()
  expect(createOwnSlot('content').keep('in the form opened again')).not.toBe('content')
  end()
  expect(draftOf('content', [])).not.toBeNull()
})

it('knows what was sent of it as long as it is kept, and what was sent of another it does not', () => {
  const own = createOwnSlot('artwork.new')
  own.noteSent('typed', { title: 'Kajal' })
  own.keep('typed on')
  expect(own.sent()).toEqual({ title: 'Kajal' })
  const [reloaded, fresh] = [createOwnSlot('artwork.new'), createOwnSlot('artwork.new')]
  reloaded.take('artwork.new')
  fresh.keep('another')
  expect([reloaded.sent(), fresh.sent()]).toEqual([{ title: 'Kajal' }, undefined])
  reloaded.drop()
  reloaded.keep('yet another')
  expect(reloaded.sent()).toBeUndefined()
})
