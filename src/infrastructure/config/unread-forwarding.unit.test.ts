import { expect, it, vi } from 'vitest'
import { lastUnreadForwarding, noteUnreadForwarding } from './unread-forwarding.ts'

const day = 24 * 60 * 60_000

it('warns once, notes once a day, and tells when it was', async () => {
  let now = new Date('2026-11-22T10:00:00Z')
  const notes: string[] = []
  const effects = {
    replace: async (_key: string, _state: string, detail: string) => void notes.push(detail),
    find: async () => ({ state: 'done' as const, detail: notes.at(-1) ?? '' }),
  }
  const warn = vi.fn<(context: object, message: string) => void>()
  const heard = noteUnreadForwarding({ effects, clock: { now: () => now, newId: () => '' }, log: { warn } })
  heard()
  heard()
  expect(notes).toEqual(['2026-11-22T10:00:00.000Z'])
  now = new Date(now.getTime() + day)
  heard()
  expect(notes).toHaveLength(2)
  expect(warn).toHaveBeenCalledTimes(1)
  expect(await lastUnreadForwarding(effects)).toEqual(now)
})

it('harms nobody when the note cannot be written', async () => {
  const warn = vi.fn<(context: object, message: string) => void>()
  const effects = { replace: () => Promise.reject(new Error('away')) }
  noteUnreadForwarding({ effects, clock: { now: () => new Date(), newId: () => '' }, log: { warn } })()
  await expect.poll(() => warn.mock.calls.length).toBe(2)
})
