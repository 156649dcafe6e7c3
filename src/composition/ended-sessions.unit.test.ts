import { expect, it, vi } from 'vitest'
import type { Sessions } from '#application/kernel/ports/sessions.ts'
import { tellingOfEnds } from './ended-sessions.ts'

it('tells of sessions that were ended, and not where there was none', async () => {
  const left = ['one', 'another']
  const sessions = {
    removeById: async (_: string, id: string) =>
      left.includes(id) && left.splice(left.indexOf(id), 1).length > 0,
    removeOthers: async () => left.splice(0).length,
    // No more of them is used here.
  } as Partial<Sessions> as Sessions
  const ended = vi.fn<() => void>()
  const telling = tellingOfEnds(sessions, ended)
  expect(await telling.removeById('a', 'nobody')).toBe(false)
  expect(ended).not.toHaveBeenCalled()
  expect(await telling.removeById('a', 'one')).toBe(true)
  expect(ended).toHaveBeenCalledTimes(1)
  expect([await telling.removeOthers('a', null), await telling.removeOthers('a', null)]).toEqual([1, 0])
  expect(ended).toHaveBeenCalledTimes(2)
})
