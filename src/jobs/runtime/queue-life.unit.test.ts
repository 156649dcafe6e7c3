import { expect, it } from 'vitest'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { judgeQueue, type QueueState } from './queue-life.ts'

const at = (text: string): Position => text as Position // of no engine: only compared
const memory = (life: string, position: string | null) => ({
  life,
  queued: { position: position === null ? null : at(position) },
})

it.each<[string, Parameters<typeof judgeQueue>, QueueState]>([
  ['nothing is remembered of it', [memory('a', '1'), null, at('3')], 'new'],
  ['nothing is there and nothing remembered', [null, null, null], 'new'],
  ['an earlier version noted no place', [{ life: 'a', queued: null }, 'a', at('3')], 'new'],
  ['it stands where the reactor stands', [memory('a', '3'), 'a', at('3')], 'same'],
  ['it is ahead of the reactor, which moves last', [memory('a', '4'), 'a', at('3')], 'same'],
  ['both stand at the beginning', [memory('a', null), 'a', null], 'same'],
  ['the reactor has no place: that is lost, not the jobs', [memory('a', '3'), 'a', null], 'same'],
  ['it knows less than the reactor', [memory('a', '2'), 'a', at('3')], 'other'],
  ['it knows of nothing yet, and the reactor does', [memory('a', null), 'a', at('3')], 'other'],
  ['it has another word', [memory('b', '3'), 'a', at('3')], 'other'],
  ['it was emptied', [null, 'a', at('3')], 'other'],
])('a queue is judged where %s', (_, given, state) => {
  expect(judgeQueue(...given)).toBe(state)
})
