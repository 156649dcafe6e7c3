import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { isWholeImage } from './variants.ts'

const image = sharp({ create: { width: 300, height: 200, channels: 3, background: '#7a5' } })
const made = {
  jpg: () => image.clone().jpeg().toBuffer(),
  webp: () => image.clone().webp().toBuffer(),
  avif: () => image.clone().avif().toBuffer(),
} as const

describe.each(['jpg', 'webp', 'avif'] as const)('a picture as %s', (type) => {
  it('is whole as it was made, and not when any of its end is gone', async () => {
    const bytes = await made[type]()
    expect(isWholeImage(bytes, type)).toBe(true)
    for (const length of [0, 1, 7, 11, 40, bytes.length - 100, bytes.length - 2, bytes.length - 1])
      expect(isWholeImage(bytes.subarray(0, Math.max(0, length)), type)).toBe(false)
    expect(isWholeImage(Buffer.alloc(bytes.length), type)).toBe(false)
  })
})
