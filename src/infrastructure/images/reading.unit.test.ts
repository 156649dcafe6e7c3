import { expect, test } from 'vitest'
import { readingOf } from './reading.ts'

/** As libvips says it. */
const unwritten = [
  'wbuffer_write: write failed\nsystem error: File too large\nwbuffer_write: write failed\nsystem error: File too large',
  'wbuffer_write: write failed\nsystem error: Input/output error',
]

test.each(unwritten)(
  'a file of our own that could not be written is no damage of the picture: %s',
  async (words) => {
    const error = new Error(words)
    await expect(readingOf(() => Promise.reject(error))).rejects.toBe(error)
  },
)

test.each([
  'VipsJpeg: premature end of JPEG image',
  // What is made of it ends with what it is made of.
  'VipsJpeg: premature end of JPEG image\nvips2png: unable to write to target /scratch/.master.png',
])('what the decoder cannot read is refused as damaged: %s', async (words) => {
  const reading = readingOf(() => Promise.reject(new Error(words)))
  await expect(reading).rejects.toMatchObject({ kind: 'damaged' })
})
