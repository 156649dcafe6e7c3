import { describe, expect, it } from 'vitest'
import { decode, encode, type Encoding, encodingFor } from './encoding.ts'

describe('encodingFor', () => {
  it.each<[string | undefined, Encoding]>([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.1', 'br'],
    ['BR', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
    ['gzip;q=0, *;q=0.5', 'br'],
    ['br;q=nonsense', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
  ])('answers %s with %s', (header, encoding) => {
    expect(encodingFor(header)).toBe(encoding)
  })

  it('reads none that is longer than any browser’s', () => {
    expect(encodingFor(`${'a,'.repeat(7_000)}br`)).toBe('identity')
  })

  it('answers the same when it remembers, and forgets what strangers send in masses', () => {
    for (let number = 0; number < 1000; number += 1) encodingFor(`x-${number}, gzip`)
    expect(encodingFor('x-1, gzip')).toBe('gzip')
  })
})

describe('encode', () => {
  it.each<Encoding>(['br', 'gzip', 'identity'])('is undone by decode: %s', async (encoding) => {
    const text = Buffer.from('₹1,25,000 '.repeat(50))
    expect(await decode(await encode(text, encoding, 5), encoding)).toEqual(text)
  })
})
