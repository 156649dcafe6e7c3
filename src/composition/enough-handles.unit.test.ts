import { describe, expect, it } from 'vitest'
import { leastHandles, refuseFewHandles } from './enough-handles.ts'

/** A machine on which so many files can be opened. */
const machine = (most: number, code = 'EMFILE') => {
  const open = new Set<number>()
  let next = 0
  return {
    open,
    one: () => {
      if (open.size === most) throw Object.assign(new Error(code), { code })
      next += 1
      open.add(next)
      return next
    },
    close: (handle: number) => void open.delete(handle),
  }
}

describe('file handles for a start', () => {
  it('are enough, and none is kept', () => {
    const { open, one, close } = machine(leastHandles)
    refuseFewHandles(one, close)
    expect(open.size).toBe(0)
  })

  it.each([
    ['EMFILE', /^Only 63 more files .*ulimit -n 1024/],
    ['ENFILE', /^Only 63 more files .* this machine has too many files open/],
  ])('are too few by %s: said in words, and none is kept', (code, words) => {
    const { open, one, close } = machine(leastHandles - 1, code)
    expect(() => refuseFewHandles(one, close)).toThrow(words)
    expect(open.size).toBe(0)
  })

  it('that fail otherwise are told of as they are', () => {
    const { one, close } = machine(0, 'EACCES')
    expect(() => refuseFewHandles(one, close)).toThrow('EACCES')
  })
})
