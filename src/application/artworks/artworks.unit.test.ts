import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { addArtwork, deleteArtwork, moveArtwork, reviseArtwork } from './artworks.ts'
import { UnreadableEvent } from '../kernel/codec.ts'
import { newestRank } from '../kernel/rank.ts'
import { addEntry, deleteEntry, reviseEntry } from '../taxonomy/taxonomy.ts'
import { EngineAway } from '../kernel/ports/event-store.ts'
import { artworkInput } from '../testing/artwork-input.ts'
import { imageHash, ownerCommand, testApplication } from '../testing/application.ts'
import { artworkAggregate, artworkOf } from '#domain/artworks/artwork.ts'

const hash = imageHash
const slow = 'https://pictures.example/slow.jpg'
const copied = { source: 'own', hash, imageUrl: `/images/${hash}/original-view.jpg` }
const entry = (name: string) => ({ name, description: '', isActive: true, sortOrder: 0 })

describe('adding a work', () => {
  it('copies a picture given by address before it answers', async () => {
    const { app, eventStore } = testApplication()
    await addArtwork(app, artworkInput(), ownerCommand())
    expect(eventStore.events.map((event) => event.type)).toEqual(['ImageUploaded', 'ArtworkAdded'])
    expect(eventStore.events[1]?.data).toMatchObject({ picture: copied })
  })

  it('shows the other site while a slow picture is still copied', async () => {
    const { app, eventStore } = testApplication()
    const imageUrl = 'https://pictures.example/slow.jpg'
    await addArtwork(app, artworkInput({ imageUrl }), ownerCommand())
    expect(eventStore.events[0]?.data).toMatchObject({ picture: { source: 'copying', imageUrl, hash: null } })
  })

  it.each([
    ['an http address that takes too long', 'http://pictures.example/slow.jpg'],
    ['an http address that does not answer', 'http://elsewhere.example/a.jpg'],
    ['an address without a picture', 'https://pictures.example/text.html'],
    ['a picture that was never uploaded', `/images/${'b'.repeat(64)}/original-view.jpg`],
    ['half an address', 'pictures.example/a.jpg'],
  ])('refuses %s at the field and writes nothing', async (_, imageUrl) => {
    const { app, eventStore } = testApplication()
    await expect(addArtwork(app, artworkInput({ imageUrl }), ownerCommand())).rejects.toMatchObject({
      kind: 'invalid',
      fields: { imageUrl: expect.any(String) },
    })
    expect(eventStore.events).toEqual([])
  })

  it('refuses a payment code that was never uploaded', async () => {
    const { app, eventStore } = testApplication()
    const lost = { qrCodeUrl: `/images/${'b'.repeat(64)}/original-view.jpg` }
    const refused = { kind: 'invalid', fields: { qrCodeUrl: expect.any(String) } }
    await expect(addArtwork(app, artworkInput(lost), ownerCommand())).rejects.toMatchObject(refused)
    const { id } = await addArtwork(app, artworkInput(), ownerCommand())
    const before = eventStore.events.length
    await expect(reviseArtwork(app, id, lost, null, ownerCommand())).rejects.toMatchObject(refused)
    expect(eventStore.events.length).toBe(before)
    await reviseArtwork(app, id, { qrCodeUrl: copied.imageUrl }, null, ownerCommand())
    expect(eventStore.events.length).toBe(before + 1)
  })

  it('puts it above one that was added while the clock ran ahead', async () => {
    const { app, eventStore } = testApplication()
    const command = ownerCommand()
    const ahead = newestRank(new Date(command.now.getTime() + 3_600_000), 'w1')
    const firstRank = async (sortOrder: number) => (sortOrder === 7 ? ahead : null)
    const within = { ...app, lookups: { ...app.lookups, firstRank } }
    await addArtwork(within, artworkInput({ sortOrder: 7 }), command)
    const [, added] = eventStore.events
    expect(added?.data).toSatisfy(({ rank }: { readonly rank: string }) => rank < ahead)
  })

  it('takes this year when none is given, and none when null is given', async () => {
    const { app, eventStore } = testApplication()
    await addArtwork(app, artworkInput(), ownerCommand())
    await addArtwork(app, artworkInput({ yearCreated: null }), ownerCommand())
    const added = eventStore.events.filter((event) => event.type === 'ArtworkAdded')
    expect(added.map((event) => event.data['yearCreated'])).toEqual([2026, null])
  })

  it.each([
    ['2026-12-31T23:30:00Z', 2026, 2027],
    ['2027-01-01T00:30:00Z', 2027, 2026],
  ])('is at %s of the year %d in UTC, whatever clocks show here', async (now, year, local) => {
    const clock = vi.spyOn(Date.prototype, 'getFullYear').mockReturnValue(local)
    onTestFinished(() => clock.mockRestore())
    const { app, eventStore } = testApplication()
    await addArtwork(app, artworkInput(), { ...ownerCommand(), now: new Date(now) })
    expect(eventStore.events.at(-1)?.data).toMatchObject({ yearCreated: year })
  })

  it('takes the id of a category whose name the set knows, in the set’s spelling', async () => {
    const { app, eventStore } = testApplication()
    const { id } = await addEntry(app, 'Category', entry('Still Life'), ownerCommand())
    await addArtwork(app, artworkInput({ category: ' still  LIFE', medium: 'Oil' }), ownerCommand())
    expect(eventStore.events.at(-1)?.data).toMatchObject({
      category: { id, name: 'Still Life' },
      medium: { id: null, name: 'Oil' },
    })
  })

  it('sent twice adds one work', async () => {
    const { app, eventStore } = testApplication()
    const first = await addArtwork(app, artworkInput(), ownerCommand('same'))
    const again = await addArtwork(app, artworkInput(), ownerCommand('same'))
    expect(again.id).toBe(first.id)
    expect(eventStore.events.filter((event) => event.type === 'ArtworkAdded')).toHaveLength(1)
  })
})

describe('changing a work', () => {
  it('fetches no picture again that is sent back unchanged', async () => {
    const { app, eventStore } = testApplication()
    const { id } = await addArtwork(app, artworkInput(), ownerCommand())
    const before = eventStore.events.length
    await reviseArtwork(app, id, { imageUrl: copied.imageUrl, title: 'Monsoon' }, null, ownerCommand())
    expect(eventStore.events.length).toBe(before)
  })

  it.each([
    ['a change of something else', { category: '', medium: '' }],
    ['its address, sent back', { imageUrl: slow }],
  ])('keeps a picture that was copied while %s was under way', async (_, changes) => {
    const { app } = testApplication()
    const { id } = await addArtwork(app, artworkInput({ imageUrl: slow }), ownerCommand())
    const artwork = artworkAggregate(id)
    const racing: typeof app.executor = {
      ...app.executor,
      load: async (aggregate) => {
        const state = await app.executor.load(aggregate)
        if (aggregate.stream === artwork.stream)
          await app.executor.execute({
            ...artwork,
            command: { type: 'RecordPictureCopied', sourceUrl: slow, imageUrl: copied.imageUrl, hash },
            context: ownerCommand('copy'),
            expectedVersion: null,
          })
        return state
      },
    }
    await reviseArtwork({ ...app, executor: racing }, id, changes, null, ownerCommand())
    expect(artworkOf(await app.executor.load(artwork))?.picture).toEqual(copied)
  })

  it('keeps a copied picture whose old address is sent back once its host is away', async () => {
    const { app, eventStore } = testApplication()
    const { id } = await addArtwork(app, artworkInput({ imageUrl: slow }), ownerCommand())
    const copy = { sourceUrl: slow, imageUrl: copied.imageUrl, hash }
    const order = { ...artworkAggregate(id), context: ownerCommand(), expectedVersion: null }
    await app.executor.execute({ ...order, command: { type: 'RecordPictureCopied', ...copy } })
    const before = eventStore.events.length
    await reviseArtwork(app, id, { imageUrl: slow }, 1, ownerCommand())
    expect(eventStore.events.length).toBe(before)
  })

  it('takes a label sent back as it is shown after a rename for no change', async () => {
    const { app, eventStore } = testApplication()
    const { id: categoryId } = await addEntry(app, 'Category', entry('Abstract'), ownerCommand())
    const { id } = await addArtwork(app, artworkInput({ category: 'Abstract' }), ownerCommand())
    await reviseEntry(app, 'Category', categoryId, { name: 'Fields' }, null, ownerCommand())
    const before = eventStore.events.length
    await reviseArtwork(app, id, { category: 'Fields' }, null, ownerCommand())
    expect(eventStore.events.length).toBe(before)
  })

  it('takes the default alt text sent back as it is shown after its medium was renamed for no change', async () => {
    const { app, eventStore } = testApplication()
    const { id: medium } = await addEntry(app, 'Medium', entry('Oil'), ownerCommand())
    const { id } = await addArtwork(app, artworkInput({ medium: 'Oil', yearCreated: 2025 }), ownerCommand())
    await reviseEntry(app, 'Medium', medium, { name: 'Oil on linen' }, null, ownerCommand())
    const before = eventStore.events.length
    await reviseArtwork(app, id, { altText: 'Monsoon, Oil on linen, 2025' }, null, ownerCommand())
    expect(eventStore.events.length).toBe(before)
  })

  it('changes what is not filed anew while nobody can read what categories and mediums are called', async () => {
    const { app, eventStore } = testApplication()
    const { id } = await addArtwork(app, artworkInput(), ownerCommand())
    const loads = app.executor.load
    const rotted: typeof app.executor = {
      ...app.executor,
      load: async (aggregate) => {
        if (['categories', 'mediums'].includes(aggregate.stream)) throw new UnreadableEvent('MediumAdded')
        return loads(aggregate)
      },
    }
    await reviseArtwork({ ...app, executor: rotted }, id, { altText: 'Rain' }, null, ownerCommand())
    expect(eventStore.events.at(-1)?.data).toMatchObject({ to: 'Rain' })
    const filed = reviseArtwork({ ...app, executor: rotted }, id, { medium: 'Oil' }, null, ownerCommand())
    await expect(filed).rejects.toBeInstanceOf(UnreadableEvent)
  })

  it('takes a label of a deleted category, sent back as it is shown, for no change', async () => {
    const { app, eventStore } = testApplication()
    const { id: categoryId } = await addEntry(app, 'Category', entry('Abstract'), ownerCommand())
    const { id } = await addArtwork(
      app,
      artworkInput({ category: 'Abstract', medium: 'Oil' }),
      ownerCommand(),
    )
    await deleteEntry(app, 'Category', categoryId, null, ownerCommand())
    await addEntry(app, 'Category', entry('ABSTRACT'), ownerCommand())
    await addEntry(app, 'Medium', entry('OIL'), ownerCommand())
    const before = eventStore.events.length
    await reviseArtwork(app, id, { category: 'Abstract', medium: 'Oil' }, null, ownerCommand())
    expect(eventStore.events.length).toBe(before)
    await reviseArtwork(app, id, { category: 'abstract' }, null, ownerCommand())
    expect(eventStore.events.at(-1)?.data).toMatchObject({ to: { name: 'ABSTRACT' } })
  })

  it('finds no work that was never added', async () => {
    const { app } = testApplication()
    await expect(reviseArtwork(app, 'nobody', { title: 'x' }, null, ownerCommand())).rejects.toMatchObject({
      kind: 'missing',
    })
    await expect(deleteArtwork(app, 'nobody', null, ownerCommand())).rejects.toMatchObject({
      kind: 'missing',
    })
  })
})

describe('moving a work', () => {
  it('refuses a place before a work that is not there', async () => {
    const { app } = testApplication()
    const { id } = await addArtwork(app, artworkInput(), ownerCommand())
    const placed = {
      ...app,
      lookups: { ...app.lookups, artworkPlaces: async () => [{ id, sortOrder: 0, rank: 'a0' }] },
    }
    await expect(moveArtwork(placed, id, 'nobody', null, ownerCommand())).rejects.toMatchObject({
      kind: 'invalid',
      fields: { before: expect.any(String) },
    })
  })

  it('is placed by where the others stand at its turn: two that are moved at once never swap', async () => {
    const { app } = testApplication()
    const first = await addArtwork(app, artworkInput(), ownerCommand())
    const middle = await addArtwork(app, artworkInput(), ownerCommand())
    const last = await addArtwork(app, artworkInput(), ownerCommand())
    const ids = [first.id, middle.id, last.id]
    const order = async () => {
      const places = await Promise.all(
        ids.map(async (id) => ({ id, artwork: artworkOf(await app.executor.load(artworkAggregate(id))) })),
      )
      return places
        .flatMap(({ id, artwork }) => (artwork === null ? [] : [{ id, sortOrder: 0, rank: artwork.rank }]))
        .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    }
    const placed = { ...app, lookups: { ...app.lookups, artworkPlaces: order } }
    const [top, , bottom] = await order()
    const move = (id = '', before = '') => moveArtwork(placed, id, before, null, ownerCommand())
    await Promise.all([move(top?.id, bottom?.id), move(bottom?.id, top?.id)])
    const [, ...after] = await order()
    // One after the other, as asked: the second stands right before the first one.
    expect(after.map(({ id }) => id)).toEqual([bottom?.id, top?.id])
  })

  it('is not placed by where the others stood before what the lists do not show yet', async () => {
    const { app, eventStore } = testApplication()
    const { id } = await addArtwork(app, artworkInput(), ownerCommand())
    const before = eventStore.events.length
    const behind = { ...app, readModels: { ...app.readModels, shows: async () => false } }
    await expect(moveArtwork(behind, id, null, null, ownerCommand())).rejects.toBeInstanceOf(EngineAway)
    expect(eventStore.events.length).toBe(before)
  })
})
