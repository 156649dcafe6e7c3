import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Application } from '#application/application.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { EngineUnheard, type Position } from '#application/kernel/ports/event-store.ts'
import { FileCut } from '#application/kernel/ports/files.ts'
import { imagesProjection } from '#projections/images/images-view.ts'
import { guardVariants } from './variants.ts'

const jpeg = Buffer.from([0xff, 0xd8, 0, 0, 0xff, 0xd9])

/** Documents of images that are ready, with a JPEG of 640 each. */
const documentsOf = async (hashes: readonly string[]) => {
  const documents = memoryDocuments()
  const put = hashes.map((id) => ({ id, position: '1', ready: true, widths: [640], formats: ['jpg'] }))
  const { view } = imagesProjection
  await documents.prepare([view])
  // A place of the log is text.
  await documents.write([{ view, put, remove: [], from: null, to: '1' as Position }])
  return documents
}

it('looks at few files at once, however many are asked for', async () => {
  const hashes = Array.from({ length: 200 }, (_, n) => createHash('sha256').update(String(n)).digest('hex'))
  const documents = await documentsOf(hashes)
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

describe('a size that cannot be read', () => {
  const hash = 'a'.repeat(64)

  /** Asks for one whose reading fails so. @returns what came of it, and how often it was about to be made anew */
  const askedFor = async (failure: Error) => {
    let remade = 0
    const files = { size: async () => jpeg.length, open: () => Promise.reject(failure) }
    const load = async () => {
      remade += 1
      return { original: null, discarded: false }
    }
    // Nothing else of it is asked.
    const app = { files, executor: { load } } as unknown as Application
    const guard = guardVariants({ app, documents: await documentsOf([hash]) })
    const sound = await guard.ensureSound(hash, 640, 'jpg').catch((error: unknown) => error)
    return { sound, remade }
  }

  it('is made anew where a part of it is missing', async () => {
    expect(await askedFor(new FileCut('images/a/640.jpg'))).toEqual({ sound: false, remade: 1 })
  })

  it('is left as it is where the store is asked by too many: of that nobody knows whether it is whole', async () => {
    const busy = new EngineUnheard('mongodb', 'MongoDB is asked by too many at once')
    expect(await askedFor(busy)).toEqual({ sound: busy, remade: 0 })
  })
})
