import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Application } from '#application/application.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { imagesProjection } from '#projections/images/images-view.ts'
import { guardVariants } from './variants.ts'

const jpeg = Buffer.from([0xff, 0xd8, 0, 0, 0xff, 0xd9])

it('looks at few files at once, however many are asked for', async () => {
  const hashes = Array.from({ length: 200 }, (_, n) => createHash('sha256').update(String(n)).digest('hex'))
  const documents = memoryDocuments()
  const put = hashes.map((id) => ({ id, position: '1', ready: true, widths: [640], formats: ['jpg'] }))
  const { view } = imagesProjection
  await documents.prepare([view])
  // A place of the log is text.
  await documents.write([{ view, put, remove: [], from: null, to: '1' as Position }])
  let [open, most] = [0, 0]
  const files = {
    size: async () => jpeg.length,
    open: async () => {
      open += 1
      most = Math.max(most, open)
      const bytes = async function* () {
        await nextTurn()
        yield jpeg
        open -= 1
      }
      return { size: jpeg.length, stream: Readable.from(bytes()) }
    },
  }
  // Nothing else of it is asked.
  const guard = guardVariants({ app: { files } as unknown as Application, documents })
  const sound = await Promise.all(hashes.map((hash) => guard.ensureSound(hash, 640, 'jpg')))
  expect(sound.every(Boolean)).toBe(true)
  expect(most).toBeLessThanOrEqual(16)
  expect(open).toBe(0)
})
