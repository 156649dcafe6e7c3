import { expect, it } from 'vitest'
import uploaded from '#application/golden/ImageUploaded.v1.json' with { type: 'json' }
import { send } from '#application/kernel/execute.ts'
import { ownerCommand, testApplication } from '#application/testing/application.ts'
import { imageAggregate } from '#domain/images/image.ts'
import type { SitePorts } from './command/operation.ts'
import { images } from './images.ts'

it('reprocess ends where the jobs were forgotten as they were done', async () => {
  const { app } = testApplication()
  const hash = 'a'.repeat(64)
  const image = imageAggregate(hash)
  const { data: upload } = uploaded
  await send(
    app,
    image,
    { type: 'RecordUpload', upload: { ...upload, format: 'jpeg', hash } },
    ownerCommand(),
  )
  const list = async () => {
    const done = { type: 'RecordProcessed', hash, widths: [1], formats: ['webp'] } as const
    await send(app, image, done, ownerCommand())
    return []
  }
  const operation = images.operations.find(({ name }) => name === 'images reprocess')
  if (operation?.needs !== 'site') throw new Error('There is no such operation')
  // Of the engines it uses the queue.
  const ports = { app, engines: { jobs: { list } }, runsJobs: async () => true } as unknown as SitePorts
  const task = { signal: new AbortController().signal, progress: () => undefined }
  expect(await operation.run(ports, { which: hash }, task)).toMatchObject({ ok: true })
})
