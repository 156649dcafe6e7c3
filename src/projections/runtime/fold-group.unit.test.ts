import { expect, it } from 'vitest'
import type { Documents } from '#application/kernel/ports/documents.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { activityProjection } from '../activity/activity-view.ts'
import { artworkAdded } from '../testing/artworks.ts'
import { recorded } from '../testing/history.ts'
import { openFolds } from './fold-group.ts'

it('numbers events from its own checkpoint on, though another runner moves that while it is read', async () => {
  const documents = memoryDocuments()
  const events = recorded([artworkAdded('one'), artworkAdded('two')])
  const run = async (on: Documents): Promise<void> => {
    const group = await openFolds(on, [activityProjection])
    await group.foldIn(events)
    await group.gather()?.store()
  }
  let reads = 0
  /** The other runner comes between the first of what is read and the second. */
  const read = async <T>(answer: () => Promise<T>): Promise<T> => {
    reads += 1
    if (reads === 2) await run(documents)
    return answer()
  }
  await run({
    ...documents,
    places: (views) => read(() => documents.places(views)),
    numbered: (views) => read(() => documents.numbered(views)),
  })
  expect(await documents.numbered([activityProjection.view])).toMatchObject([{ numbered: 2 }])
})
