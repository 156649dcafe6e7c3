import { expect, it } from 'vitest'
import { batchState } from './use-batch.ts'

const added = { state: 'added', id: 'a1' } as const

it('what was added is unpublished, on the website, or gone, as the artworks are now', () => {
  expect(batchState(added, undefined)).toBe('added')
  expect(batchState(added, [{ id: 'a1', isVisible: false }])).toBe('added')
  expect(batchState(added, [{ id: 'a1', isVisible: true }])).toBe('published')
  expect(batchState(added, [{ id: 'b2', isVisible: true }])).toBe('gone')
})

it('what is under way or failed stays so', () => {
  expect(batchState({ state: 'failed', id: null }, [])).toBe('failed')
  expect(batchState({ state: 'uploading', id: null }, [])).toBe('uploading')
})
