import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { boundUnread, type HoldUnread } from './unread-bytes.ts'

/** Names of the readers that were let go. */
let gone: string[] = []
let hold: HoldUnread
beforeEach(() => {
  gone = []
  hold = boundUnread(({ req }) => req.url ?? '', 30)
})

const bodyOf = (size: number): Buffer => Buffer.from(new ArrayBuffer(size))
const read = (name: string, body: Buffer, { destroyed = false, address = 'somebody' } = {}): EventEmitter => {
  const response = Object.assign(new EventEmitter(), {
    destroyed,
    req: { url: address },
    destroy: () => {
      gone.push(name)
      response.emit('close')
    },
  })
  // Nothing else of an answer is asked for.
  hold(response as unknown as ServerResponse, body.buffer)
  return response
}

describe('what answers on their way hold', () => {
  it('has a bound: those go whose body nobody has asked for the longest', () => {
    const body = bodyOf(10)
    read('first', body)
    read('second', bodyOf(10))
    read('third', bodyOf(10))
    expect(gone).toEqual([])
    read('first again', body)
    read('fourth', bodyOf(15))
    expect(gone).toEqual(['second', 'third'])
    read('fifth', bodyOf(20))
    expect(gone).toEqual(['second', 'third', 'first', 'first again', 'fourth'])
  })

  it('is counted once for all who read the same bytes, whole or in part', () => {
    const body = bodyOf(20)
    for (let n = 0; n < 100; n += 1) read('many', n % 2 === 0 ? body : body.subarray(n % 10))
    read('other', bodyOf(10))
    expect(gone).toEqual([])
  })

  it('is free again once it has gone out', () => {
    const body = bodyOf(20)
    const [one, other] = [read('one', body), read('other', body)]
    one.emit('close')
    read('small', bodyOf(10))
    expect(gone).toEqual([])
    other.emit('close')
    read('next', bodyOf(20))
    expect(gone).toEqual([])
  })

  it('is more than the room only for what is asked for just now', () => {
    read('small', bodyOf(1))
    read('large', bodyOf(100))
    expect(gone).toEqual(['small'])
    read('larger', bodyOf(200))
    expect(gone).toEqual(['small', 'large'])
  })

  it('is not held for a reader who left before it was ready', () => {
    for (let n = 0; n < 100; n += 1) read('left', bodyOf(10), { destroyed: true })
    read('reads', bodyOf(20))
    expect(gone).toEqual([])
  })

  it('is not taken from those who hold less: who asks for more and more is let go himself', () => {
    const shared = bodyOf(5)
    const [visitor, other, stranger] = ['visitor', 'other', 'stranger'].map((address) => ({ address }))
    read('visitor', bodyOf(5), visitor)
    read('other visitor', shared, other)
    read('stranger with the other', shared, stranger)
    for (let n = 1; n <= 6; n += 1) read(`stranger ${n}`, bodyOf(10), stranger)
    expect(gone).toEqual(['stranger with the other', 'stranger 1', 'stranger 2', 'stranger 3', 'stranger 4'])
  })
})
