import { describe, expect, it } from 'vitest'
import { createLog } from '#infrastructure/log/log.ts'
import { openTerminal } from './terminal.ts'

/** A terminal that keeps what is written to it. */
const watched = () => {
  let shown = ''
  const out = {
    columns: 20,
    writableLength: 0,
    write: (text: string) => {
      shown += text
      return true
    },
  }
  const terminal = openTerminal(out)
  return { out, terminal, log: createLog('info', terminal), shown: () => shown }
}

describe('a start on a terminal', () => {
  it('is one line while it goes on, cut to the width; what is only informational is left out', () => {
    const { terminal, log, shown } = watched()
    terminal.progress('one')
    log.info({}, 'nothing of note')
    terminal.progress('a line that is longer than the terminal')
    expect(shown()).toBe('one\r\u001B[Ka line that is long')
  })

  it('shows a warning above the line', () => {
    const { terminal, log, shown } = watched()
    terminal.progress('one')
    log.warn({}, 'beware')
    expect(shown()).toMatch(/^one\r\u001B\[K\S+ {2}Warning: Beware\none$/)
  })

  it('shows at once what is held, which stays last while it goes on and below later lines', () => {
    const { terminal, log, shown } = watched()
    terminal.progress('one')
    terminal.hold(['Site', 'a line wider than the terminal'])
    const block = 'Site\na line wider than the terminal\n'
    expect(shown()).toBe(`one\r\u001B[Kone\n${block}`)
    terminal.progress('two')
    expect(shown().slice(`one\r\u001B[Kone\n${block}`.length)).toBe(`\r\u001B[4A\u001B[Jtwo\n${block}`)
    const before = shown().length
    terminal.settle()
    terminal.settle()
    terminal.progress('three')
    expect(shown().slice(before)).toBe(`\r\u001B[4A\u001B[J${block}`)
    const settled = shown().length
    log.info({}, 'request')
    expect(shown().slice(settled)).toMatch(
      /^\r\u001B\[3A\u001B\[J\S+ {2}Request\nSite\na line wider than the terminal\n$/,
    )
  })

  it('shows a warning above what is held and the line that moves', () => {
    const { terminal, log, shown } = watched()
    terminal.progress('one')
    terminal.hold(['Site'])
    const before = shown().length
    log.info({}, 'nothing of note')
    log.warn({}, 'beware')
    expect(shown().slice(before)).toMatch(/^\r\u001B\[2A\u001B\[J\S+ {2}Warning: Beware\none\nSite\n$/)
  })
})

it('leaves lines out while its output is held and much waits already', () => {
  const { out, log, shown } = watched()
  out.writableLength = 1_000_000
  log.info('held')
  out.writableLength = 0
  log.info('goes on')
  expect(shown()).toMatch(/^\S+ {2}Goes on\n$/)
})
