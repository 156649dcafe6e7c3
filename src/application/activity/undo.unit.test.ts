import { expect, it } from 'vitest'
import { updateContent } from '../site-content/site-content.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { undoCommand } from './undo.ts'
import { siteContentStream } from '#domain/site-content/site-content.ts'

it('an undo has a few events of a long stream in memory at once', async () => {
  const { app, eventStore } = testApplication()
  const first = ownerCommand()
  await updateContent(app, { artistQuote: 'First' }, null, first)
  for (let n = 0; n < 50; n += 1) await updateContent(app, { heroTitle: `Title ${n}` }, null, ownerCommand())
  let most = 0
  const readStream: typeof eventStore.readStream = async (...asked) => {
    const events = await eventStore.readStream(...asked)
    most = Math.max(most, events.length)
    return events
  }
  const past = { commandId: first.commandId, streams: [siteContentStream] }
  await undoCommand({ ...app, eventStore: { ...eventStore, readStream } }, past, ownerCommand())
  expect(eventStore.events.at(-1)?.data).toMatchObject({ changes: { artistQuote: { to: '' } } })
  expect(most).toBeLessThanOrEqual(16)
})
