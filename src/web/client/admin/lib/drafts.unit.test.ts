import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserStore } from '../testing/browser-store.ts'
import { draftNames, draftOf, dropDraft, keepDraft, onDraftsChanged, withholdDraft } from './drafts.ts'

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

it('tells of a draft that another tab has dropped, and of nothing else there', () => {
  const tab = new EventTarget()
  vi.stubGlobal('window', tab)
  const otherTab = (key: string, newValue: string | null) =>
    tab.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
  const hear = vi.fn<() => void>()
  const end = onDraftsChanged(hear)
  otherTab('atelier.draft.content', '{}')
  otherTab('atelier.adding.content', null)
  expect(hear).not.toHaveBeenCalled()
  otherTab('atelier.draft.content', null)
  expect(hear).toHaveBeenCalledOnce()
  end()
  otherTab('atelier.draft.content', null)
  expect(hear).toHaveBeenCalledOnce()
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

it('says which draft is offered again once its save is over', () => {
  keepDraft('content', { heroTitle: 'x' }, now)
  const heard = vi.fn<(again?: string) => void>()
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined })
  const end = onDraftsChanged(heard)
  const offerAgain = withholdDraft('content')
  expect(draftOf('content')).toBeNull()
  offerAgain()
  expect(heard.mock.calls).toEqual([['content']])
  expect(draftOf('content')).not.toBeNull()
  end()
})
