import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserStore } from '../testing/browser-store.ts'
import { draftOf, keepDraft } from './drafts.ts'
import { asDraftOf } from './use-adding.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', browserStore())
  vi.useFakeTimers({ now: new Date('2026-11-28T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const correct = async (ok: boolean, meanwhile: () => void = () => undefined) => {
  const corrected = asDraftOf('category.1', { name: 'New' }, { drop: () => undefined }, async () => {
    expect(draftOf('category.1')).toBeNull()
    vi.advanceTimersByTime(50)
    return { ok }
  })
  await corrected
  meanwhile()
  vi.runAllTimers()
  return draftOf('category.1')?.value ?? null
}

it('what is corrected is a draft only until it is answered', async () => {
  expect(await correct(true)).toBeNull()
  expect(await correct(false)).toBeNull()
})

it('what a form that was closed meanwhile keeps of a correction that failed stays', async () => {
  const left = { name: 'New', description: 'typed since' }
  expect(await correct(false, () => keepDraft('category.1', left, new Date()))).toEqual(left)
})
