import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { draftOf, dropDraft, keepDraft } from './drafts.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

const now = new Date('2026-11-14T09:12:00Z')

it('keeps what was typed, with its time, until it is dropped', () => {
  keepDraft('content', { heroTitle: 'x' }, now)
  expect(draftOf('content')).toEqual({ savedAt: now.toISOString(), value: { heroTitle: 'x' } })
  expect(draftOf('other')).toBeNull()
  dropDraft('content')
  expect(draftOf('content')).toBeNull()
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
