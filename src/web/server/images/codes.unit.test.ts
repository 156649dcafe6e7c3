import { expect, it, vi } from 'vitest'
import type { Images } from '#application/ports/images.ts'
import { openLane } from '../door/lane.ts'
import { keepCodes } from './codes.ts'

const qr = vi.fn<Images['qr']>(async (text) => ({
  width: 1,
  height: 1,
  data: new TextEncoder().encode(text),
}))

it('draws a code once for all who ask, at the same time and later', async () => {
  qr.mockClear()
  const codeOf = keepCodes({ qr }, openLane())
  const codes = await Promise.all(Array.from({ length: 500 }, () => codeOf('a', 'upi://pay')))
  expect(new Set(codes.map(String))).toEqual(new Set(['upi://pay']))
  expect(String(await codeOf('a', 'upi://pay'))).toBe('upi://pay')
  expect(qr).toHaveBeenCalledTimes(1)
})

it('draws one after the other, and none for who has left', async () => {
  qr.mockClear()
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  qr.mockImplementationOnce(async () => {
    await held
    return { width: 1, height: 1, data: new Uint8Array() }
  })
  const codeOf = keepCodes({ qr }, openLane())
  const reader = { writable: true, address: 'a phone' }
  const asked = ['a', 'b', 'c'].map((hash) => codeOf(hash, hash, hash === 'b' ? reader : undefined))
  expect(qr).toHaveBeenCalledTimes(1)
  reader.writable = false
  go()
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(qr.mock.calls).toEqual([['a'], ['c']])
})
