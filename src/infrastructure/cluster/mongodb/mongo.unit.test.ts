import { describe, expect, it } from 'vitest'
import { EngineAway } from '#application/ports/event-store.ts'
import { translated } from './mongo.ts'

describe('an error of the driver', () => {
  it.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])(
    'is MongoDB being away when it comes from a socket that has just ended (%s)',
    (code) => {
      const error = Object.assign(new Error('This socket has been ended by the other party'), { code })
      expect(translated(error)).toBeInstanceOf(EngineAway)
    },
  )

  it('stays what it is when it is a mistake of ours', () => {
    const mistake = new TypeError('no such view')
    expect(translated(mistake)).toBe(mistake)
  })
})
