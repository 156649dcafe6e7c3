import { beforeEach, expect, test, vi } from 'vitest'
import { draftOf, keepDraft } from '../lib/drafts.ts'
import { browserStore } from '../testing/browser-store.ts'
import type { Arrived } from './arrived.ts'
import { newBodyOf, newValues } from './artwork-values.ts'
import { createBatchQueue, type Progress } from './batch-queue.ts'

beforeEach(() => void vi.stubGlobal('localStorage', browserStore()))

type SaveBatch = Parameters<typeof createBatchQueue>[0]

const away: SaveBatch = async () => ({
  ok: false,
  failure: { kind: 'refused', message: 'Away', status: 503 },
})

const arrivedAs = (title: string): Arrived[number] =>
  newBodyOf({ ...newValues(new Date()), title, imageUrl: `/images/${title}` })

const queueWith = (save: SaveBatch) => {
  const states: Progress['state'][] = []
  const change = (_key: number, { state }: Partial<Progress>): void => void (state && states.push(state))
  return {
    states,
    queue: createBatchQueue(
      save,
      () => undefined,
      change,
      () => undefined,
    ),
  }
}

test('what was brought back in one tab stays kept, whatever becomes of it in the tab that left it', async () => {
  const [one, two] = [arrivedAs('One'), arrivedAs('Two')]
  const slot = 'several~1'
  keepDraft(slot, [one], new Date())
  const save = vi.fn<SaveBatch>(away)
  const left = queueWith(save)
  left.queue.bringBack({ slot, savedAt: '', value: [one] })
  await vi.waitFor(() => expect(left.states.at(-1)).toBe('failed'))

  const found = draftOf<Arrived>('several')
  const other = queueWith(away)
  other.queue.bringBack({ slot: found?.slot ?? '', savedAt: '', value: [one, two] })
  await vi.waitFor(() => expect(other.states.at(-1)).toBe('failed'))

  save.mockResolvedValue({ ok: true, answer: { rows: [{ id: '1', status: 200 }] }, undo: null })
  left.queue.retry(0)
  await vi.waitFor(() => expect(left.states.at(-1)).toBe('there'))
  expect(draftOf<Arrived>('several')?.value).toEqual([one, two])
})
