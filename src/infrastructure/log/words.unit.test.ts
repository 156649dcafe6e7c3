import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'
import { inWords } from './words.ts'

/** What a log tells in words. */
const told = (tell: (log: ReturnType<typeof createLog>) => void): string => {
  const lines: string[] = []
  tell(createLog('debug', { write: (line) => lines.push(inWords(line)) }))
  return lines.join('\n')
}

describe('a line of the log in words', () => {
  it('tells the time, what happened and with what, without ids', () => {
    const line = told((log) =>
      log.info({ requestId: 'r-1', method: 'GET', path: '/x', status: 200 }, 'request'),
    )
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}Request \(method GET, path \/x, status 200\)$/)
  })

  it('tells how bad it is and why, a warning without its stack', () => {
    const line = told((log) => log.warn({ err: new Error('no answer'), requestId: 'r-1' }, 'it waits'))
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}Warning: It waits: no answer \(requestId r-1\)$/)
  })

  it('keeps the stack of an error', () => {
    const line = told((log) => log.error({ err: new Error('broken') }, 'it failed'))
    expect(line).toMatch(/^\S+ {2}Error: It failed: broken\n\s+at /)
  })

  it('hides secrets, and lets nobody steer the terminal', () => {
    const line = told((log) =>
      log.info({ path: '/\u001B[2J\u009B1A\u202E\n', password: 'hunter2' }, 'request'),
    )
    expect(line).toContain('password [secret]')
    expect(line).not.toMatch(/[\p{Cc}\u202E]/u)
  })
})
