import { expect, test } from 'vitest'
import { readingOf } from './reading.ts'

/** As libvips says it. */
const unwritten = [
  'wbuffer_write: write failed\nsystem error: File too large\nwbuffer_write: write failed\nsystem error: File too large',
  'wbuffer_write: write failed\nsystem error: Input/output error',
  'vips2png: unable to write to target /scratch/.master.png',
]

test.each(unwritten)(
  'a file of our own that could not be written is no damage of the picture: %s',
  async (words) => {
    const error = new Error(words)
    await expect(readingOf(() => Promise.reject(error))).rejects.toBe(error)
  },
)

test('what the decoder cannot read is refused as damaged', async () => {
  const reading = readingOf(() => Promise.reject(new Error('VipsJpeg: premature end of JPEG image')))
  await expect(reading).rejects.toMatchObject({ kind: 'damaged' })
})
