import { expect, it } from 'vitest'
import type { Announcements } from '#application/kernel/ports/announcements.ts'
import { heardElsewhere } from './heard-elsewhere.ts'

/** A process that heard of its documents at 0, by a clock that is set by hand. */
const silentProcess = () => {
  let [time, heardHere] = [0, 0]
  const listeners = new Set<(words: string) => void>()
  const announcements: Announcements = {
    announce: (words) => listeners.forEach((listener) => listener(words)),
    onAnnounced: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const engines = { announcements, heardAt: () => heardHere }
  const heard = heardElsewhere(engines, ['artworks', 'blog-posts'], () => time)
  return {
    heard,
    others: (at: number, words: string) => {
      time = at
      announcements.announce(words)
    },
    hears: (at: number) => {
      heardHere = at
    },
    heardAt: (at: number) => {
      time = at
      return heard.heardAt()
    },
    listening: () => listeners.size,
  }
}

it('counts documents as answering while others store in them what is shown, until they answer here', () => {
  const process = silentProcess()
  expect(process.heardAt(5_000)).toBe(0)
  process.others(5_000, 'vm/2 artworks')
  expect(process.heardAt(90_000)).toBe(90_000)
  process.hears(90_500)
  expect(process.heardAt(99_000)).toBe(90_500)
})

it('takes nothing from what is not shown, from other words, or from what was stored just before the silence', () => {
  const process = silentProcess()
  process.others(400, 'vm/2 artworks')
  process.others(5_000, 'vm/2 messages')
  process.others(5_000, 'sessions-ended')
  expect(process.heardAt(5_000)).toBe(0)
})

it('listens no more once it is stopped', () => {
  const process = silentProcess()
  process.heard.stop()
  expect(process.listening()).toBe(0)
})
