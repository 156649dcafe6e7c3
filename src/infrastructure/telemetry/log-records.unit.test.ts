import { describe, expect, it } from 'vitest'
import { createLog } from '../log/log.ts'
import { recordOf } from './log-records.ts'

/** What a log writes, as records. */
const written = (say: (log: ReturnType<typeof createLog>) => void) => {
  const lines: string[] = []
  say(createLog('trace', { write: (line) => lines.push(line) }))
  return lines.map(recordOf)
}

describe('a line of the log', () => {
  it('becomes a record with its severity, its words and its details, but for who it was', () => {
    const [first, second] = written((log) => {
      log.info({ status: 200, correlationIds: ['a', 'b'], none: null, address: '192.0.2.1' }, 'request')
      log.fatal('over')
    })
    expect(first).toEqual({
      severityNumber: 9,
      body: 'request',
      timestamp: expect.any(Number),
      attributes: { status: 200, correlationIds: '["a","b"]' },
    })
    expect(Math.abs((first?.timestamp ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(second).toMatchObject({ severityNumber: 21, body: 'over', attributes: {} })
  })

  it('tells an error by the names that telemetry has for it, and no secret', () => {
    const [record] = written((log) => log.error({ err: new TypeError('odd'), password: 'secret' }, 'failed'))
    expect(record).toMatchObject({
      severityNumber: 17,
      attributes: {
        'exception.type': 'TypeError',
        'exception.message': 'odd',
        'exception.stacktrace': expect.stringContaining('log-records'),
        password: '[secret]',
      },
    })
  })
})
