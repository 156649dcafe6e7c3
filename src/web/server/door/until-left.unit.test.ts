import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { ReaderLeft } from './errors.ts'
import { untilLeft } from './until-left.ts'

/** An answer of which only the end is heard. */
const answer = (closed = false): ServerResponse =>
  Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse // nothing else of it is asked

it('gives what is waited for, well or not, and listens no longer', async () => {
  const response = answer()
  expect(await untilLeft(response, Promise.resolve(1))).toBe(1)
  const failed = new Error('failed')
  await expect(untilLeft(response, Promise.reject(failed))).rejects.toBe(failed)
  expect(response.listenerCount('close')).toBe(0)
})

it('ends with its reader, also with one who has left before', async () => {
  const response = answer()
  const waited = untilLeft(response, new Promise(() => {}))
  response.emit('close')
  await expect(waited).rejects.toThrow(ReaderLeft)
  await expect(untilLeft(answer(true), new Promise(() => {}))).rejects.toThrow(ReaderLeft)
})
