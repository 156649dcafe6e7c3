import { describe, expect, it } from 'vitest'
import { takeImage } from '#application/images/take-image.ts'
import { send } from '#application/kernel/execute.ts'
import type { JobView } from '#application/kernel/ports/job-queue.ts'
import { imageHash, ownerCommand, testApplication } from '#application/testing/application.ts'
import { imageAggregate, type ImageCommand } from '#domain/images/image.ts'
import type { SitePorts } from './command/operation.ts'
import { images } from './images.ts'

/** A site with one image whose sizes are asked for anew, at a queue that tells of no job when it is looked at. */
const openSite = async () => {
  const { app } = testApplication()
  await takeImage(app, 'photo.jpg', ownerCommand())
  const tell = (command: ImageCommand) => send(app, imageAggregate(imageHash), command, ownerCommand())
  const reprocess = (whenLookedAt: (look: number) => Promise<unknown>) => {
    const operation = images.operations.find(({ name }) => name === 'images reprocess')
    if (operation?.needs !== 'site') throw new Error('There is no such operation')
    let look = 0
    const list = async (): Promise<readonly JobView[]> => {
      look += 1
      await whenLookedAt(look)
      return []
    }
    // Of the engines it uses the list of the queue.
    const ports = { app, engines: { jobs: { list } }, runsJobs: async () => true } as unknown as SitePorts
    return operation.run(
      ports,
      { which: imageHash },
      { signal: new AbortController().signal, progress: () => undefined },
    )
  }
  return { tell, reprocess }
}

describe('images reprocess', () => {
  it('ends when the log says that the sizes were made, where the queue has forgotten the job meanwhile', async () => {
    const { tell, reprocess } = await openSite()
    const processed = { type: 'RecordProcessed', hash: imageHash, widths: [40], formats: ['jpg'] } as const
    const { ok } = await reprocess(async (look) => look === 2 && (await tell(processed)))
    expect(ok).toBe(true)
  })
})
