import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Context } from 'koa'
import { expect, it } from 'vitest'
import { discardRest } from './discard-rest.ts'

/** Sends pieces, after the answer where it has an end, until nobody takes them. @returns how many were taken */
const takenOf = async (bytes: number, most: number, hasEnd = true): Promise<number> => {
  const [req, res] = [Object.assign(new PassThrough(), { complete: false }), new EventEmitter()]
  // What of a request and of its answer is asked for here.
  discardRest({ req, res } as unknown as Context)
  if (hasEnd) res.emit('finish')
  const piece = Buffer.alloc(bytes)
  for (let taken = 0; taken < most; taken += 1) {
    if (req.destroyed) return taken
    if (!req.write(piece)) await Promise.race([once(req, 'drain'), once(req, 'close')])
    if (taken % 100 === 0) await new Promise(setImmediate)
  }
  return most
}

it('takes in as much of a refused body as an image is, and fewer bytes in small pieces', async () => {
  expect(await takenOf(64 * 1024, 500)).toBe(500)
  expect(await takenOf(1_460, 14_000)).toBe(14_000)
  expect(await takenOf(1, 20_000)).toBeLessThan(1_200)
})

it('takes in no more beside an answer that has no end', async () => {
  expect(await takenOf(1_460, 14_000, false)).toBe(14_000)
  expect(await takenOf(1, 20_000, false)).toBeLessThan(1_200)
})
