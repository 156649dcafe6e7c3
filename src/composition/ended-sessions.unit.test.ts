import { expect, it, vi } from 'vitest'
import type { Announcements } from '#application/kernel/ports/announcements.ts'
import type { Sessions } from '#application/kernel/ports/sessions.ts'
import { announcingEnds, onEndsElsewhere, tellingOfEnds } from './ended-sessions.ts'

it('announces ends to all processes, which hear of nothing else', async () => {
  const listeners: ((words: string) => void)[] = []
  const announcements: Announcements = {
    announce: (words) => listeners.forEach((listener) => listener(words)),
    onAnnounced: (listener) => {
      listeners.push(listener)
      return () => listeners.splice(listeners.indexOf(listener), 1)
    },
  }
  const sessions = { removeOthers: async () => 2 } as Partial<Sessions> as Sessions
  const look = vi.fn<() => void>()
  onEndsElsewhere(announcements, look)
  announcements.announce('web-1 artworks')
  expect(look).not.toHaveBeenCalled()
  await announcingEnds({ sessions, announcements }).sessions.removeOthers('a', null)
  expect(look).toHaveBeenCalledTimes(1)
})

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
