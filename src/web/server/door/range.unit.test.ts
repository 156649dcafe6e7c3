import { describe, expect, it } from 'vitest'
import { byteRange } from './range.ts'

const of = (header: string, size = 100, ifRange = '') => byteRange(header, size, ifRange, '"tag"')

describe('a part of a file', () => {
  it.each([
    ['bytes=0-9', { start: 0, end: 10 }],
    ['bytes=90-', { start: 90, end: 100 }],
    ['bytes=90-500', { start: 90, end: 100 }],
    ['bytes=-10', { start: 90, end: 100 }],
    ['bytes=-500', { start: 0, end: 100 }],
    ['bytes=0-0', { start: 0, end: 1 }],
  ])('%s', (header, part) => {
    expect(of(header)).toEqual(part)
  })

  it.each(['bytes=100-', 'bytes=200-300', 'bytes=-0'])('%s lies outside', (header) => {
    expect(of(header)).toBe('unsatisfiable')
  })

  it.each(['', 'bytes=', 'bytes=-', 'bytes=5-4', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=a-b'])(
    '"%s" is the whole file',
    (header) => {
      expect(of(header)).toBeNull()
    },
  )

  it('is given only of the state that it was asked of', () => {
    expect(of('bytes=0-9', 100, '"tag"')).toEqual({ start: 0, end: 10 })
    expect(of('bytes=0-9', 100, '"older"')).toBeNull()
  })

  it('of nothing lies outside', () => {
    expect(of('bytes=-5', 0)).toBe('unsatisfiable')
  })
})
