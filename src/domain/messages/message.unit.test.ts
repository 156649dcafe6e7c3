import { describe, expect, test } from 'vitest'
import type { MessageEvent } from './events.ts'
import { messageDecider, messageStream, type MessageCommand } from './message.ts'
import { causes, given, refuses } from '../testing/decider-spec.ts'

const content = { subject: 'purchase', artworkId: 'w1', sealed: 'c2VhbGVk' } as const
const receive: MessageCommand = { type: 'ReceiveMessage', ...content }
const received: MessageEvent = { type: 'MessageReceived', data: content }
const read: MessageEvent = { type: 'MessageMarkedRead', data: {} }
const erased: MessageEvent = { type: 'MessageErased', data: {} }
const mailed: MessageEvent = { type: 'EnquiryMailed', data: { mailId: 'm1' } }
const refused: MessageEvent = { type: 'EnquiryMailRefused', data: { reason: 'No such mailbox' } }
const recordMailed: MessageCommand = { type: 'RecordMailed', mailId: 'm1' }
const recordRefused: MessageCommand = { type: 'RecordMailRefused', reason: 'No such mailbox' }

test('each message has a stream of its own', () => {
  expect(messageStream('7')).toBe('message-7')
})

test('a message is received once', () => {
  expect(given(messageDecider).when(receive)).toEqual(causes(received))
  expect(given(messageDecider, received).when(receive)).toMatchObject(refuses('blocked'))
  expect(given(messageDecider, received, erased).when(receive)).toMatchObject(refuses('blocked'))
})

test('a message is marked read once', () => {
  expect(given(messageDecider, received).when({ type: 'MarkRead' })).toEqual(causes(read))
  expect(given(messageDecider, received, read).when({ type: 'MarkRead' })).toEqual(causes())
})

test('a message is erased, read or not', () => {
  expect(given(messageDecider, received).when({ type: 'Erase' })).toEqual(causes(erased))
  expect(given(messageDecider, received, read).when({ type: 'Erase' })).toEqual(causes(erased))
})

test('nothing of a message is left in the state once it is erased', () => {
  expect(given(messageDecider, received, erased, mailed).state).toEqual({ status: 'erased' })
})

test.each([{ type: 'MarkRead' }, { type: 'Erase' }, recordMailed, recordRefused] satisfies MessageCommand[])(
  'an erased message, and one that never was, refuse $type as missing',
  (command) => {
    expect(given(messageDecider, received, erased).when(command)).toMatchObject(refuses('missing'))
    expect(given(messageDecider).when(command)).toMatchObject(refuses('missing'))
    expect(given(messageDecider, received, erased).versionFor(command)).toBeNull()
  },
)

describe('mail', () => {
  test('is sent once', () => {
    expect(given(messageDecider, received).when(recordMailed)).toEqual(causes(mailed))
    expect(given(messageDecider, received, mailed).when(recordMailed)).toEqual(causes())
  })
  test('is refused once, and never after it was sent', () => {
    expect(given(messageDecider, received).when(recordRefused)).toEqual(causes(refused))
    expect(given(messageDecider, received, refused).when(recordRefused)).toEqual(causes())
    expect(given(messageDecider, received, mailed).when(recordRefused)).toEqual(causes())
  })
  test('is skipped once, and only while nothing else became of it', () => {
    const skip = { type: 'RecordMailSkipped' } as const
    const skipped = { type: 'EnquiryMailSkipped', data: {} } as const
    expect(given(messageDecider, received).when(skip)).toEqual(causes(skipped))
    expect(given(messageDecider, received, skipped).when(skip)).toEqual(causes())
    expect(given(messageDecider, received, mailed).when(skip)).toEqual(causes())
    expect(given(messageDecider, received, skipped).versionFor({ type: 'MarkRead' })).toBe(1)
  })
  test('that was refused may be sent after all', () => {
    expect(given(messageDecider, received, refused).when(recordMailed)).toEqual(causes(mailed))
  })
  test('leaves the version alone', () => {
    expect(given(messageDecider, received, refused, mailed).versionFor({ type: 'MarkRead' })).toBe(1)
    expect(given(messageDecider, received, read).versionFor({ type: 'MarkRead' })).toBe(2)
  })
})
