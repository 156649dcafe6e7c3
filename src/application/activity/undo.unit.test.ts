import { expect, it } from 'vitest'
import { batchArtworks } from '../artworks/batch.ts'
import { ownContext } from '../kernel/envelope.ts'
import { updateContent } from '../site-content/site-content.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { leftAsIs, undoCommand } from './undo.ts'
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

it('what an undo of an operator’s act leaves is named as well', async () => {
  const { app } = testApplication()
  const input = {
    title: 'Monsoon',
    description: '',
    imageUrl: 'https://pictures.example/monsoon.jpg',
    price: 100,
    category: '',
    medium: '',
    dimensions: '',
    altText: '',
    qrCodeUrl: null,
    isAvailable: true,
    isVisible: true,
    isFeatured: false,
    saleStatus: 'for_sale',
    sortOrder: 0,
  } as const
  const inputs = [input, { ...input, title: 'Rain' }]
  const context = ownContext('samples', 'by-the-operator', new Date('2026-03-04T05:06:07.000Z'))
  const { rows } = await batchArtworks(
    app,
    inputs.map((each) => ({ what: 'add', input: each })),
    context,
  )
  const ids = rows.flatMap((row) => ('id' in row && row.id !== null ? [row.id] : []))
  const [changed = ''] = ids
  const fields = { price: 500 }
  await batchArtworks(
    app,
    [{ what: 'change', id: changed, changes: fields, expectedVersion: null }],
    ownerCommand(),
  )
  const past = { commandId: context.commandId, streams: ids.map((id) => `artwork-${id}`) }
  const undoing = ownerCommand()
  await undoCommand(app, past, undoing)
  expect(await leftAsIs(app, past)).toMatchObject([{ subjectId: changed }])
})
