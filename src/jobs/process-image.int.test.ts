import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { variantKey } from '#application/images/image-files.ts'
import { takeImage } from '#application/images/take-image.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { Leases } from '#application/kernel/ports/leases.ts'
import { imageHash, ownerCommand, testApplication } from '#application/testing/application.ts'
import { processImage } from './process-image.ts'

describe('the sizes of an image', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-sizes-'))
  })
  afterEach(async () => rm(folder, { recursive: true, force: true }))

  const job = {
    id: 'job',
    attempt: 1,
    apart: false,
    again: false,
    signal: new AbortController().signal,
    progress: () => {},
  }

  /** An uploaded image of which one size can be made. */
  const uploaded = async () => {
    const test = testApplication()
    await takeImage(test.app, 'photo.jpg', ownerCommand())
    const types = () => test.eventStore.events.map(({ type }) => type)
    const scratch = { ...test.app.scratch, folder: async () => folder }
    const variants = async (_: string, { into }: { readonly into: string }) => {
      await writeFile(join(into, '320.jpg'), 'a size')
      return [{ width: 320, format: 'jpg', name: '320.jpg' }] as const
    }
    const app = { ...test.app, scratch, images: { ...test.app.images, variants } }
    return { app, types, files: test.files }
  }

  it('are kept and named in the log', async () => {
    const { app, types, files } = await uploaded()
    await processImage(app).run({ hash: imageHash }, job)
    expect(files.has(variantKey(imageHash, 320, 'jpg'))).toBe(true)
    expect(types()).toEqual(['ImageUploaded', 'ImageProcessed'])
  })

  it('are not named by one who stood still while files were its turn: another may have put them aside', async () => {
    const { app, types } = await uploaded()
    const check = (): void => {
      throw new EngineAway('mongodb', 'The lease was lost')
    }
    const acquire: Leases['acquire'] = async (...asked) => ({
      ...(await app.leases.acquire(...asked)),
      check,
    })
    const leases = { ...app.leases, acquire }
    await expect(processImage({ ...app, leases }).run({ hash: imageHash }, job)).rejects.toThrow(EngineAway)
    expect(types()).toEqual(['ImageUploaded'])
  })
})
