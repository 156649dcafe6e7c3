import { describe, expect, it } from 'vitest'
import { isOutage } from './outage.ts'
import { beyondEnd, DiskFull, EngineAway, type Position } from './ports/event-store.ts'
import { Unrecoverable } from './ports/job-queue.ts'
import { SafeFetchError } from './ports/safe-fetch.ts'

const coded = (code: string): Error => Object.assign(new Error(code), { code })

describe('an outage', () => {
  it('is an engine away, a full disk, views ahead, and too much that is open', () => {
    const place = '5' as Position // as a log makes it
    const outages = [
      new EngineAway('MongoDB', 'MongoDB does not answer'),
      new DiskFull(),
      beyondEnd(place, null),
      ...['EMFILE', 'ENFILE', 'ENOSPC', 'EFBIG'].map(coded),
      // As Node gives it where the quota of a user is used up.
      Object.assign(new Error('UNKNOWN: unknown error, write'), { code: 'UNKNOWN', errno: -122 }),
      new SafeFetchError('unreachable', 'The connection broke off', { cause: coded('EMFILE') }),
    ]
    expect(outages.map(isOutage)).toEqual(outages.map(() => true))
  })

  it('is nothing that the job, another site or a person did', () => {
    const faults = [
      new Error('no'),
      coded('ECONNREFUSED'),
      new SafeFetchError('unreachable', 'refused', { cause: coded('ECONNREFUSED') }),
      new Unrecoverable('no picture', { cause: new DiskFull() }),
      'words',
      undefined,
    ]
    expect(faults.map(isOutage)).toEqual(faults.map(() => false))
  })
})
