import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Application } from '../application.ts'
import { addArtwork, restoreArtwork, reviseArtwork } from '../artworks/artworks.ts'
import { batchArtworks } from '../artworks/batch.ts'
import { UnreadableEvent } from '../kernel/codec.ts'
import { type CommandContext, ownContext } from '../kernel/envelope.ts'
import { createExecutor } from '../kernel/execute.ts'
import { inActTurn } from '../kernel/many-streams.ts'
import {
  EngineAway,
  type EventStore,
  foreignType,
  type NewEvent,
  type RecordedEvent,
} from '../kernel/ports/event-store.ts'
import { updateContent } from '../site-content/site-content.ts'
import { addEntry, moveEntry, reviseEntry } from '../taxonomy/taxonomy.ts'
import { artworkInput } from '../testing/artwork-input.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { memoryEventStore } from '../testing/memory-event-store.ts'
import { memoryLeases } from '../testing/memory-leases.ts'
import { leftAsIs, undoCommand } from './undo.ts'
import { artworkAggregate, artworkOf, artworkStream } from '#domain/artworks/artwork.ts'
import { siteContentStream } from '#domain/site-content/site-content.ts'
import { taxonomyStream } from '#domain/taxonomy/taxonomy.ts'

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

/** Two artworks, added as one command. */
const addTwo = async (app: Application, context: CommandContext): Promise<readonly [string, string]> => {
  const inputs = [artworkInput(), artworkInput({ title: 'Rain' })]
  const rows = inputs.map((each) => ({ what: 'add', input: each }) as const)
  const added = await batchArtworks(app, rows, context)
  const [one = '', other = ''] = added.rows.flatMap((row) => ('id' in row && row.id !== null ? [row.id] : []))
  return [one, other]
}

const changePrice = (app: Application, id: string) =>
  batchArtworks(app, [{ what: 'change', id, changes: { price: 500 }, expectedVersion: null }], ownerCommand())

it('what an undo of an operator’s act leaves is named as well', async () => {
  const { app } = testApplication()
  const context = ownContext('samples', 'by-the-operator', new Date('2026-03-04T05:06:07.000Z'))
  const ids = await addTwo(app, context)
  const [changed] = ids
  await changePrice(app, changed)
  const past = { commandId: context.commandId, streams: ids.map(artworkStream) }
  await undoCommand(app, past, ownerCommand())
  expect(await leftAsIs(app, past)).toMatchObject([{ subjectId: changed }])
})

it.each([
  ['data', { schemaVersion: 0 }],
  ['all that stands beside it', { schemaVersion: 0, meta: { damaged: '{"schemaVersion":1,' } }],
] as const)('an undo of many leaves one of which an event has rotted, by its %s', async (_, rot) => {
  const { app, eventStore } = testApplication()
  const ids = await addTwo(app, ownerCommand())
  const deleting = ownerCommand()
  await batchArtworks(
    app,
    ids.map((id) => ({ what: 'delete', id })),
    deleting,
  )
  const [rotted, other] = ids
  const at = eventStore.events.findLastIndex(({ stream }) => stream === artworkStream(rotted))
  eventStore.events.splice(at, 1, { ...eventStore.events[at], ...rot } as unknown as RecordedEvent)

  const past = { commandId: deleting.commandId, streams: ids.map(artworkStream) }
  const fresh = { ...app, executor: createExecutor(eventStore) }
  await undoCommand(fresh, past, ownerCommand())
  expect(eventStore.events.at(-1)).toMatchObject({ type: 'ArtworkRestored', stream: artworkStream(other) })
  expect(await leftAsIs(fresh, past)).toMatchObject([
    { subjectId: rotted, sentence: expect.stringMatching(/^A work stays as it is: what was written/) },
  ])
  // Of it alone the owner reads why.
  const alone = undoCommand(fresh, { ...past, streams: [artworkStream(rotted)] }, ownerCommand())
  await expect(alone).rejects.toBeInstanceOf(UnreadableEvent)
})

it('an undo goes past a later change of which it has rotted who made it', async () => {
  const { app, eventStore } = testApplication()
  const first = ownerCommand()
  await updateContent(app, { artistQuote: 'First' }, null, first)
  await updateContent(app, { heroTitle: 'Later' }, null, ownerCommand())
  const later = eventStore.events.pop()
  const { actor, ...meta } = later?.meta ?? {}
  eventStore.events.push({ ...later, meta } as unknown as RecordedEvent)
  await undoCommand(app, { commandId: first.commandId, streams: [siteContentStream] }, ownerCommand())
  expect(actor).toBeDefined()
  expect(eventStore.events.at(-1)?.data).toMatchObject({ changes: { artistQuote: { to: '' } } })
})

it('an undo goes past what another program wrote into the stream', async () => {
  const { app, eventStore } = testApplication()
  const first = ownerCommand()
  await updateContent(app, { artistQuote: 'First' }, null, first)
  const [event] = eventStore.events
  if (event === undefined) throw new Error('Nothing was written')
  const foreign = { ...event, id: randomUUID(), type: foreignType, meta: {}, data: { type: 'OrderPlaced' } }
  await eventStore.append(siteContentStream, 0, [foreign as unknown as NewEvent]) // nothing of ours stands beside it
  const past = { commandId: first.commandId, streams: [siteContentStream] }
  expect(await leftAsIs(app, past)).toEqual([])
  await undoCommand(app, past, ownerCommand())
  expect(eventStore.events.at(-1)?.data).toMatchObject({ changes: { artistQuote: { to: '' } } })
})

it('an undo that takes away again what was brought back leaves what was changed meanwhile', async () => {
  const { app, eventStore } = testApplication()
  const ids = await addTwo(app, ownerCommand())
  const streams = ids.map(artworkStream)
  const [deleting, undoing] = [ownerCommand(), ownerCommand()]
  await batchArtworks(
    app,
    ids.map((id) => ({ what: 'delete', id })),
    deleting,
  )
  await undoCommand(app, { commandId: deleting.commandId, streams }, undoing)
  const [changed, other] = ids
  await changePrice(app, changed)

  const past = { commandId: undoing.commandId, streams }
  await undoCommand(app, past, ownerCommand())
  expect(await leftAsIs(app, past)).toMatchObject([{ subjectId: changed }])
  expect(eventStore.events.at(-1)).toMatchObject({ type: 'ArtworkDeleted', stream: artworkStream(other) })

  // The same of one thing alone.
  const restored = ownerCommand()
  await restoreArtwork(app, other, null, restored)
  await changePrice(app, other)
  const alone = { commandId: restored.commandId, streams: [artworkStream(other)] }
  await expect(undoCommand(app, alone, ownerCommand())).rejects.toThrow('changed again since')
})

/** An application in which something happens in the very moment in which an event comes to a stream. */
const withMoment = () => {
  let moment: { readonly stream: string; readonly work: () => Promise<unknown> } | null = null
  const eventStore = memoryEventStore({
    beforeAppend: async (stream) => {
      const now = moment
      if (now === null || now.stream !== stream) return
      moment = null
      await now.work()
    },
  })
  const { app } = testApplication({ eventStore, executor: createExecutor(eventStore) })
  return {
    app,
    eventStore,
    /** by another process, which knows of no queue in this one */
    elsewhere: (): Application => ({ ...app, executor: createExecutor(eventStore) }),
    whenWritten: (stream: string, work: () => Promise<unknown>): void => {
      moment = { stream, work }
    },
  }
}

const setVisible = (app: Application, ids: readonly string[], isVisible: boolean, context = ownerCommand()) =>
  batchArtworks(
    app,
    ids.map((id) => ({ what: 'change', id, changes: { isVisible }, expectedVersion: null })),
    context,
  )

/** Shows an artwork and hides it again: it is as it was, and that is her newest word. */
const hideAnew = async (app: Application, id: string): Promise<void> => {
  await setVisible(app, [id], true)
  await setVisible(app, [id], false)
}

it.each(['in a stream that it comes to later', 'in the stream that it is about to write'])(
  'an undo of many leaves what is said anew meanwhile, %s',
  async (where) => {
    const { app, eventStore, elsewhere, whenWritten } = withMoment()
    const [first, second] = await addTwo(app, ownerCommand())
    const hiding = ownerCommand()
    await setVisible(app, [first, second], false, hiding)
    const moment = where.includes('later') ? first : second
    whenWritten(artworkStream(moment), () => hideAnew(elsewhere(), second))

    const past = { commandId: hiding.commandId, streams: [first, second].map(artworkStream) }
    await undoCommand(app, past, ownerCommand())
    expect(await leftAsIs(app, past)).toMatchObject([{ subjectId: second }])
    const ofSecond = eventStore.events.filter(({ stream }) => stream === artworkStream(second))
    expect(ofSecond.at(-1)?.type).toBe('ArtworkUnpublished')
  },
)

it('an undo of one thing is refused where it is said anew in that moment', async () => {
  const { app, eventStore, elsewhere, whenWritten } = withMoment()
  const [only] = await addTwo(app, ownerCommand())
  const hiding = ownerCommand()
  await setVisible(app, [only], false, hiding)
  whenWritten(artworkStream(only), () => hideAnew(elsewhere(), only))
  const past = { commandId: hiding.commandId, streams: [artworkStream(only)] }
  await expect(undoCommand(app, past, ownerCommand())).rejects.toThrow('changed again since')
  expect(eventStore.events.at(-1)?.type).toBe('ArtworkUnpublished')
})

it('an act that is still under way is undone once it has ended, wherever it is carried out', async () => {
  const { app, elsewhere, whenWritten } = withMoment()
  const [first, second] = await addTwo(app, ownerCommand())
  const [hiding, undoing] = [ownerCommand(), ownerCommand()]
  const streams = [first, second].map(artworkStream)
  const undone: Promise<unknown>[] = []
  whenWritten(artworkStream(second), async () => {
    const undo = () => undoCommand(elsewhere(), { commandId: hiding.commandId, streams }, undoing)
    undone.push(inActTurn(app, [hiding.commandId, undoing.commandId], undo))
    // It has its turn now, where it need not wait.
    await new Promise((resolve) => setImmediate(resolve))
  })
  await setVisible(app, [first, second], false, hiding)
  await Promise.all(undone)
  for (const id of [first, second])
    expect(artworkOf(await app.executor.load(artworkAggregate(id)))?.isVisible).toBe(true)
})

/** An application whose process stands still once a stream was read, for so long that its turn is another's by then. */
const standingStill = () => {
  const leases = memoryLeases()
  let isOn = false
  let isOver = false
  const check = (): void => {
    if (isOver) throw new EngineAway('mongodb', 'The lease was lost')
  }
  const log = memoryEventStore()
  const eventStore: EventStore = {
    ...log,
    readStream: async (...asked) => {
      const found = await log.readStream(...asked)
      isOver ||= isOn
      return found
    },
  }
  const { app } = testApplication({
    eventStore,
    executor: createExecutor(eventStore),
    leases: { ...leases, acquire: async (...asked) => ({ ...(await leases.acquire(...asked)), check }) },
  })
  const standStill = (): void => {
    isOn = true
  }
  return { app, log, standStill }
}

it('an act whose turn was lost between what it read and what it writes writes nothing more', async () => {
  const { app, log, standStill } = standingStill()
  const ids = await addTwo(app, ownerCommand())
  const before = log.events.length
  standStill()
  await expect(setVisible(app, ids, false)).rejects.toThrow(EngineAway)
  expect(log.events).toHaveLength(before)
})

it('an undo whose turn was lost between what it read and what it writes writes nothing more', async () => {
  const { app, log, standStill } = standingStill()
  const ids = await addTwo(app, ownerCommand())
  const hiding = ownerCommand()
  await setVisible(app, ids, false, hiding)
  const before = log.events.length
  standStill()
  const past = { commandId: hiding.commandId, streams: ids.map(artworkStream) }
  const undone = inActTurn(app, [hiding.commandId], (mine) => undoCommand(mine, past, ownerCommand()))
  await expect(undone).rejects.toThrow(EngineAway)
  expect(log.events).toHaveLength(before)
})

it('others have their turn while an act over many works is undone of which all were changed since', async () => {
  const { app, eventStore } = testApplication()
  const adding = ownerCommand()
  const inputs = Array.from({ length: 40 }, (_, n) => artworkInput({ title: `Work ${n}` }))
  const { rows } = await batchArtworks(
    app,
    inputs.map((input) => ({ what: 'add', input })),
    adding,
  )
  const ids = rows.flatMap((row) => ('id' in row && row.id !== null ? [row.id] : []))
  const hiding = ownerCommand()
  await setVisible(app, ids, false, hiding)
  await setVisible(app, ids, true, ownerCommand())
  await setVisible(app, ids, false, ownerCommand())
  let [reads, most, isOver] = [0, 0, false]
  const othersTurn = (): void => {
    most = Math.max(most, reads)
    reads = 0
    if (!isOver) setImmediate(othersTurn)
  }
  const readStream: typeof eventStore.readStream = (...asked) => {
    reads += 1
    return eventStore.readStream(...asked)
  }
  const counted = {
    ...app,
    eventStore: { ...eventStore, readStream },
    executor: createExecutor({ ...eventStore, readStream }),
  }
  const past = { commandId: hiding.commandId, streams: ids.map(artworkStream) }
  othersTurn()
  await undoCommand(counted, past, ownerCommand())
  expect(await leftAsIs(counted, past)).toHaveLength(40)
  isOver = true
  await new Promise((resolve) => setImmediate(resolve))
  expect(most).toBeLessThanOrEqual(16)
})

it('an undo tells of categories by what they are called when it is done', async () => {
  const { app, eventStore } = testApplication()
  const entry = (name: string) => ({ name, description: '', isActive: true, sortOrder: 0 })
  const [{ id: ink }, { id: oil }] = [
    await addEntry(app, 'Category', entry('Ink'), ownerCommand()),
    await addEntry(app, 'Category', entry('Oil'), ownerCommand()),
  ]
  const { id } = await addArtwork(app, artworkInput(), ownerCommand())
  const [first, second] = [ownerCommand(), ownerCommand()]
  await reviseArtwork(app, id, { category: 'Ink' }, null, first)
  await reviseArtwork(app, id, { category: 'Oil' }, null, second)
  await reviseEntry(app, 'Category', ink, { name: 'Ink on paper' }, null, ownerCommand())
  await reviseEntry(app, 'Category', oil, { name: 'Oil on linen' }, null, ownerCommand())
  const undo = ({ commandId }: CommandContext) =>
    undoCommand(app, { commandId, streams: [artworkStream(id)] }, ownerCommand())
  await undo(second)
  const names = { from: { id: oil, name: 'Oil on linen' }, to: { id: ink, name: 'Ink on paper' } }
  expect(eventStore.events.at(-1)?.data).toEqual(names)
  await undo(first)
  expect(eventStore.events.at(-1)?.data).toMatchObject({ from: names.to, to: { id: null, name: '' } })
})

it('an undo leaves a place in the order to which a category was moved back since', async () => {
  const { app } = testApplication()
  const add = (name: string, sortOrder: number) =>
    addEntry(app, 'Category', { name, description: '', isActive: true, sortOrder }, ownerCommand())
  const [{ id: ink }, { id: oil }] = [await add('Ink', 0), await add('Oil', 0)]
  await add('Pastel', 5)
  const typing = ownerCommand()
  await reviseEntry(app, 'Category', ink, { sortOrder: 5 }, null, typing)
  for (const before of [oil, null]) await moveEntry(app, 'Category', ink, before, null, ownerCommand())
  const past = { commandId: typing.commandId, streams: [taxonomyStream('Category')] }
  await expect(undoCommand(app, past, ownerCommand())).rejects.toThrow('changed again since')
})

it('an undo brings a category back whose old name is the other one’s by now', async () => {
  const { app, eventStore } = testApplication()
  const entry = (name: string) => ({ name, description: '', isActive: true, sortOrder: 0 })
  const { id: ink } = await addEntry(app, 'Category', entry('Ink'), ownerCommand())
  const { id: oil } = await addEntry(app, 'Category', entry('Oil'), ownerCommand())
  const { id } = await addArtwork(app, artworkInput({ category: 'Ink' }), ownerCommand())
  const act = ownerCommand()
  await reviseArtwork(app, id, { category: 'Oil' }, null, act)
  await reviseEntry(app, 'Category', ink, { name: 'Wash' }, null, ownerCommand())
  await reviseEntry(app, 'Category', oil, { name: 'Ink' }, null, ownerCommand())
  const undo = async ({ commandId }: CommandContext) => {
    const context = ownerCommand()
    await undoCommand(app, { commandId, streams: [artworkStream(id)] }, context)
    return context
  }
  // Undone, done again by that one's undo, and undone once more: each time it is another category.
  const anew = await undo(await undo(act))
  await undo(anew)
  expect(eventStore.events.at(-1)?.data).toEqual({
    from: { id: oil, name: 'Ink' },
    to: { id: ink, name: 'Wash' },
  })
})

it('an undo brings a category back that is called by now what stood there as text', async () => {
  const { app, eventStore } = testApplication()
  const { id } = await addArtwork(app, artworkInput({ category: 'Oil' }), ownerCommand())
  const entry = { name: 'Ink', description: '', isActive: true, sortOrder: 0 }
  const { id: ink } = await addEntry(app, 'Category', entry, ownerCommand())
  const [act, back] = [ownerCommand(), ownerCommand()]
  await reviseArtwork(app, id, { category: 'Ink' }, null, act)
  await reviseEntry(app, 'Category', ink, { name: 'Oil' }, null, ownerCommand())
  const streams = [artworkStream(id)]
  await undoCommand(app, { commandId: act.commandId, streams }, back)
  await undoCommand(app, { commandId: back.commandId, streams }, ownerCommand())
  expect(eventStore.events.at(-1)?.data).toEqual({
    from: { id: null, name: 'Oil' },
    to: { id: ink, name: 'Oil' },
  })
})
