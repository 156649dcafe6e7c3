import { describe, expect, it } from 'vitest'
import { SealBroken, wrappedBytes, sealingUnder } from './sealing.ts'

const secret = 'a secret of thirty-two characters'
const sealing = sealingUnder(secret)

describe('sealing', () => {
  it.each(['', 'Asha <asha@example.com>', '🖼️ राग'.repeat(1_000)])('gives back what was sealed', (text) => {
    const key = sealing.newKey('m1')
    expect(sealingUnder(secret).open(key, 'm1', sealing.seal(key, 'm1', text))).toBe(text)
  })

  it('makes another key and another text each time, keys all of one length', () => {
    const keys = [sealing.newKey('m1'), sealing.newKey('m1'), sealing.newKey('a much longer subject')]
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(3)
    expect(keys.map((key) => key.length)).toEqual([wrappedBytes, wrappedBytes, wrappedBytes])
    const [key] = keys
    expect(sealing.seal(key!, 'm1', 'text')).not.toBe(sealing.seal(key!, 'm1', 'text'))
  })

  it('shows nothing of the text', () => {
    const sealed = sealing.seal(sealing.newKey('m1'), 'm1', 'asha@example.com')
    expect(sealed).toMatch(/^v1\.[\w-]+$/)
    expect(Buffer.from(sealed.slice(3), 'base64url').includes('asha')).toBe(false)
  })

  const key = sealing.newKey('m1')
  const sealed = sealing.seal(key, 'm1', 'text')
  const flipped = (text: string): string => text.slice(0, 9) + (text[9] === 'A' ? 'B' : 'A') + text.slice(10)

  it.each([
    ['a changed text', () => sealing.open(key, 'm1', flipped(sealed))],
    ['a cut text', () => sealing.open(key, 'm1', sealed.slice(0, 12))],
    ['no sealed text', () => sealing.open(key, 'm1', 'plain words')],
    ['the text of another message', () => sealing.open(sealing.newKey('m2'), 'm2', sealed)],
    ['the key of another message', () => sealing.open(key, 'm2', sealed)],
    ['another secret', () => sealingUnder('another secret of 32 characters!!').open(key, 'm1', sealed)],
  ])('refuses %s', (_, open) => {
    expect(open).toThrow(SealBroken)
  })

  it('proves a secret without telling it', () => {
    expect(sealingUnder(secret).proof).toBe(sealing.proof)
    expect(sealingUnder(`${secret}!`).proof).not.toBe(sealing.proof)
    expect(sealing.proof).not.toContain(secret)
  })
})
