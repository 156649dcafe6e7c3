import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserStore } from '../testing/browser-store.ts'
import { draftNames, draftOf, dropDraft, keepDraft } from './drafts.ts'

beforeEach(() => void vi.stubGlobal('localStorage', browserStore()))
afterEach(() => vi.unstubAllGlobals())

const now = new Date('2026-11-14T09:12:00Z')

it('keeps what was typed, with its time, until it is dropped', () => {
  keepDraft('content', { heroTitle: 'x' }, now)
  expect(draftOf('content')).toEqual({
    slot: 'content',
    savedAt: now.toISOString(),
    value: { heroTitle: 'x' },
  })
  expect(draftOf('other')).toBeNull()
  dropDraft('content')
  expect(draftOf('content')).toBeNull()
})

it('offers the newest of a name, and what is typed beside it never', () => {
  keepDraft('content', 'earlier', now)
  keepDraft('content~1', 'later', new Date(now.getTime() + 1))
  expect(draftOf('content')).toMatchObject({ slot: 'content~1', value: 'later' })
  expect(draftOf('content', ['content~1'])).toMatchObject({ slot: 'content', value: 'earlier' })
  expect(draftNames('')).toEqual(['content'])
})

it('offers nothing where something else stands in its place', () => {
  localStorage.setItem('atelier.draft.content', '"text"')
  expect(draftOf('content')).toBeNull()
})

it('costs only the offer where the browser keeps nothing', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.stubGlobal('localStorage', {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  expect(() => keepDraft('content', {}, now)).not.toThrow()
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
})
