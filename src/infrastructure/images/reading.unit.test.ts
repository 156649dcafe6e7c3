import { expect, test } from 'vitest'
import { readingOf } from './reading.ts'

/** As libvips says it. */
const ofMachine = [
  'wbuffer_write: write failed\nsystem error: File too large\nwbuffer_write: write failed\nsystem error: File too large',
  'wbuffer_write: write failed\nsystem error: Input/output error',
  'VipsForeignLoad: unable to read: system error: Input/output error',
  'unable to open "/scratch/master.png": system error: Too many open files in system',
]

test.each(ofMachine)(
  'a file of our own that could not be written, or read, is no damage of the picture: %s',
  async (words) => {
    const error = new Error(words)
    await expect(readingOf(() => Promise.reject(error))).rejects.toBe(error)
  },
)

test('a machine without a handle is no damage of the picture', async () => {
  const error = Object.assign(new Error('EMFILE: too many'), { code: 'EMFILE' })
  await expect(readingOf(() => Promise.reject(error))).rejects.toBe(error)
})

test.each([
  'VipsJpeg: premature end of JPEG image',
  // What is made of it ends with what it is made of.
  'VipsJpeg: premature end of JPEG image\nvips2png: unable to write to target /scratch/.master.png',
])('what the decoder cannot read is refused as damaged: %s', async (words) => {
  const reading = readingOf(() => Promise.reject(new Error(words)))
  await expect(reading).rejects.toMatchObject({ kind: 'damaged' })
})
