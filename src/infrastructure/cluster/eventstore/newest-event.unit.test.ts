import { EventEmitter } from 'node:events'
import type { EventStoreDBClient, ResolvedEvent } from '@eventstore/db-client'
import { expect, it } from 'vitest'
import { someEvent } from '../../testing/contracts/some-events.ts'
import type { LogOnServer } from './log-on-server.ts'
import { findNewest } from './newest-event.ts'
import { toPosition } from './positions.ts'
import { streamNames, toProposed } from './stored-events.ts'

const names = streamNames('site')

const at = (place: bigint, streamId: string): ResolvedEvent => {
  const { id, type, data, metadata } = toProposed(someEvent(1))
  const position = { commit: place, prepare: place }
  // as the library answers it
  return { event: { streamId, revision: 0n, id, type, data, metadata, position } } as unknown as ResolvedEvent
}

/** A server whose reads answer these, one after the other. */
const serverOf = (...answers: readonly (readonly ResolvedEvent[])[]): EventStoreDBClient => {
  const left = [...answers]
  const readAll = () => {
    const read = Object.assign(new EventEmitter(), { cancel: async () => undefined })
    queueMicrotask(() => {
      for (const item of left.shift() ?? []) read.emit('data', item)
      read.emit('end')
    })
    return read
  }
  return { readAll } as unknown as EventStoreDBClient // nothing else is asked of it here
}

it('finds the newest event again after a read that ended with its connection', async () => {
  const [own, foreign, newer] = [
    at(1n, 'site:artwork-1'),
    at(2n, 'other:artwork-1'),
    at(3n, 'other:artwork-1'),
  ]
  const all = [newer, foreign, own]
  const client = serverOf([foreign, own], [newer], all, all)
  let asked = 0
  const ask: LogOnServer['ask'] = async (call) => {
    asked += 1
    const answer = await call(client, 1_000)
    // The second answer comes of a client that was closed meanwhile, and does not count.
    return asked === 2 ? call(client, 1_000) : answer
  }
  const newest = findNewest({ ask, names })
  const position = toPosition({ commit: 1n, prepare: 1n })
  expect([await newest(), await newest(), await newest()]).toEqual([position, position, position])
})
