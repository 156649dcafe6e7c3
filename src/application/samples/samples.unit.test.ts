import { expect, it } from 'vitest'
import type { Application } from '../application.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { memoryEventStore } from '../testing/memory-event-store.ts'
import { createExecutor } from '../kernel/execute.ts'
import { addSamples, addSamplesOnce, removeAddedSamples, removeSamplesSoon } from './samples.ts'

it('samples that are asked for twice in one moment are added once', async () => {
  const eventStore = memoryEventStore()
  const added = () => eventStore.events.filter(({ type }) => type === 'ArtworkAdded')
  const { app } = testApplication({ eventStore, executor: createExecutor(eventStore) })
  const labelled = async () =>
    added().map(({ stream }) => ({
      id: stream,
      deleted: false,
      sample: true,
      categoryId: null,
      mediumId: null,
    }))
  const here = { ...app, lookups: { ...app.lookups, termsOfArtworks: labelled } }
  const add = () => addSamplesOnce(here, (file) => file, ownerCommand(), new AbortController().signal)
  const came = await Promise.allSettled([add(), add()])
  expect(came).toMatchObject([
    { status: 'fulfilled' },
    {
      status: 'rejected',
      reason: { message: expect.stringContaining('is there: remove it first') as string },
    },
  ])
  expect(added()).toHaveLength(12)
})

it.each([
  [
    'the command',
    (app: Application) => removeAddedSamples(app, ownerCommand(), new AbortController().signal),
  ],
  ['a press in the dashboard', (app: Application) => removeSamplesSoon(app, ownerCommand())],
])('samples are not taken away by %s while they are being added', async (_, remove) => {
  const eventStore = memoryEventStore()
  const { app } = testApplication({ eventStore, executor: createExecutor(eventStore) })
  const adding = addSamples(app, (file) => file, ownerCommand())
  await Promise.all([adding, remove(app)])
  const types = eventStore.events.map(({ type }) => type)
  expect(types.indexOf('SampleContentRemoved')).toBeGreaterThan(types.lastIndexOf('ArtworkAdded'))
})
