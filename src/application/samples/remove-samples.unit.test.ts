import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Application } from '../application.ts'
import { leftAsIs, undoCommand } from '../activity/undo.ts'
import { EngineAway } from '../kernel/ports/event-store.ts'
import { createExecutor } from '../kernel/execute.ts'
import { countSamples, removeSamples } from './remove-samples.ts'
import { updateContent } from '../site-content/site-content.ts'
import { addEntry } from '../taxonomy/taxonomy.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { memoryEventStore } from '../testing/memory-event-store.ts'
import { artworkAggregate, artworkOf } from '#domain/artworks/artwork.ts'
import { anArtwork } from '#domain/artworks/testing/an-artwork.ts'
import { postAggregate, postOf } from '#domain/journal/blog-post.ts'
import { siteContentAggregate } from '#domain/site-content/site-content.ts'
import { taxonomyAggregate } from '#domain/taxonomy/taxonomy.ts'

const artworkIds = ['w1', 'w2', 'w3']
const hash = 'c'.repeat(64)

/** A site with samples whose process dies at the append that `dieAt` counts down to. */
const site = async () => {
  let dieAt = Number.POSITIVE_INFINITY
  const eventStore = memoryEventStore({
    beforeAppend: () => {
      dieAt -= 1
      if (dieAt < 0) throw new Error('the process died')
    },
  })
  const { app: bare, files } = testApplication({ eventStore })
  files.set(`originals/${hash}`, new Uint8Array())
  const open = (): Application => {
    // A new process remembers nothing.
    const executor = createExecutor(eventStore)
    const artworks = async () =>
      Promise.all(artworkIds.map(async (id) => ({ id, state: await executor.load(artworkAggregate(id)) })))
    return {
      ...bare,
      executor,
      lookups: {
        ...bare.lookups,
        termsOfArtworks: async () =>
          (await artworks()).flatMap(({ id, state }) =>
            state.status === 'present' || state.status === 'deleted'
              ? {
                  id,
                  deleted: state.status === 'deleted',
                  sample: state.artwork.sample,
                  categoryId: state.artwork.category.id,
                  mediumId: null,
                }
              : [],
          ),
        mirroredPosts: async () => {
          const post = postOf(await executor.load(postAggregate('p1')))
          return post === null
            ? []
            : [{ ...post, id: 'p1', externalUrl: null, title: '', excerpt: '', publishedAt: null }]
        },
      },
    }
  }
  const app = open()
  await addEntry(
    app,
    'Category',
    { name: 'Hills', description: '', isActive: true, sortOrder: 0 },
    ownerCommand(),
    { sample: true },
  )
  const [category] = (await app.executor.load(taxonomyAggregate('Category'))).values()
  for (const id of artworkIds) {
    const image = { imageUrl: `/images/${hash}/original-view.jpg`, source: 'own', hash } as const
    const artwork = anArtwork({
      sample: true,
      title: id,
      picture: image,
      category: { id: category?.id ?? '', name: 'Hills' },
    })
    await app.executor.execute({
      ...artworkAggregate(id),
      command: { type: 'AddArtwork', artwork: artwork, today: '2026-03-01' },
      context: ownerCommand(),
      expectedVersion: null,
    })
  }
  const post = {
    title: 'P',
    content: '',
    excerpt: '',
    pictureUrl: null,
    publishedAt: null,
    externalUrl: null,
  }
  await app.executor.execute({
    ...postAggregate('p1'),
    command: { type: 'MirrorPost', blogUrl: '', externalId: 'x', post, sample: true },
    context: ownerCommand(),
    expectedVersion: null,
  })
  await updateContent(app, { artistName: 'Sample' }, null, ownerCommand(), { sample: true })
  const state = async () => {
    const now = open()
    return {
      artworks: await Promise.all(
        artworkIds.map(async (id) => artworkOf(await now.executor.load(artworkAggregate(id)))),
      ),
      post: postOf(await now.executor.load(postAggregate('p1')))?.post ?? null,
      texts: (await now.executor.load(siteContentAggregate)).content,
      categories: [...(await now.executor.load(taxonomyAggregate('Category'))).values()].map(
        ({ name, deleted, sample }) => ({ name, deleted, sample }),
      ),
      counts: await countSamples(now),
    }
  }
  return {
    open,
    state,
    eventStore,
    dieAfter: (appends: number) => {
      dieAt = appends
    },
    live: () => {
      dieAt = Number.POSITIVE_INFINITY
    },
    eventsOf: (commandId: string) => eventStore.events.filter(({ meta }) => meta.commandId === commandId),
  }
}

/** Works, post, texts, categories: so many streams does the removal write to. */
const appends = 6
const interruptions = Array.from({ length: appends }, (_, n) => n)

describe('removing the samples, and undoing it', () => {
  test('is one command over all streams', async () => {
    const { open, state, eventsOf } = await site()
    const removal = ownerCommand()
    const done = await removeSamples(open(), removal)
    expect(done.counts.artworks).toEqual({ go: 3, stay: 0 })
    expect(new Set(eventsOf(removal.commandId).map(({ stream }) => stream)).size).toBe(appends)
    expect((await state()).artworks).toEqual([null, null, null])
  })

  test('leaves a post that she has hidden, and says so before', async () => {
    const { open, state } = await site()
    await open().executor.execute({
      ...postAggregate('p1'),
      command: { type: 'RevisePost', changes: { isVisible: false } },
      context: ownerCommand(),
      expectedVersion: null,
    })
    expect((await countSamples(open())).posts).toEqual({ go: 0, stay: 1 })
    expect((await removeSamples(open(), ownerCommand())).counts.posts).toEqual({ go: 0, stay: 1 })
    expect((await state()).post).toMatchObject({ title: 'P' })
  })

  test('ends at the next step once it is stopped, and goes on under the same id', async () => {
    const { open, state } = await site()
    const removal = ownerCommand()
    const stopped = AbortSignal.abort(new Error('Stopped.'))
    await expect(removeSamples(open(), removal, stopped)).rejects.toThrow('Stopped.')
    expect((await state()).artworks.filter((each) => each === null)).toEqual([])
    expect((await removeSamples(open(), removal)).counts.artworks.go).toBe(3)
  })

  test('is put off while the lists do not show yet what she has done', async () => {
    const { open, eventStore } = await site()
    const app = open()
    const behind = { ...app, readModels: { ...app.readModels, shows: async () => false } }
    const before = eventStore.events.length
    await expect(countSamples(behind)).rejects.toThrow(EngineAway)
    await expect(removeSamples(behind, ownerCommand())).rejects.toThrow(EngineAway)
    expect(eventStore.events).toHaveLength(before)
  })

  test('writes nothing once its turn is lost', async () => {
    const { open, eventStore } = await site()
    const app = open()
    const check = (): void => {
      throw new EngineAway('mongodb', 'The lease was lost')
    }
    const acquire: Application['leases']['acquire'] = async (...asked) => ({
      ...(await app.leases.acquire(...asked)),
      check,
    })
    const before = eventStore.events.length
    const mine = { ...app, leases: { ...app.leases, acquire } }
    await expect(removeSamples(mine, ownerCommand())).rejects.toThrow(EngineAway)
    expect(eventStore.events).toHaveLength(before)
  })

  test('leaves a work that she changes meanwhile, with what it is filed under', async () => {
    const { open, state } = await site()
    const app = open()
    let asked = 0
    const termsOfArtworks = async () => {
      const found = await app.lookups.termsOfArtworks()
      asked += 1
      if (asked === 1)
        await app.executor.execute({
          ...artworkAggregate('w3'),
          command: { type: 'ReviseArtwork', changes: { title: 'Hers' }, today: '2026-03-02' },
          context: ownerCommand(),
          expectedVersion: null,
        })
      return found
    }
    const { counts } = await removeSamples(
      { ...app, lookups: { ...app.lookups, termsOfArtworks } },
      ownerCommand(),
    )
    expect(counts).toMatchObject({ artworks: { go: 2, stay: 1 }, categories: { go: 0, stay: 1 } })
    const { artworks, categories: kept } = await state()
    expect(artworks.map((artwork) => artwork?.title)).toEqual([undefined, undefined, 'Hers'])
    expect(kept).toEqual([{ name: 'Hills', deleted: false, sample: true }])
  })

  test.each(interruptions)('goes on where it stopped when the process died after %i appends', async (n) => {
    const { open, state, dieAfter, live, eventsOf } = await site()
    const before = await state()
    const removal = ownerCommand()
    dieAfter(n)
    await expect(removeSamples(open(), removal)).rejects.toThrow('the process died')
    live()
    await removeSamples(open(), removal)
    const events = eventsOf(removal.commandId)
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'BlogPostRemoved',
      'CategoryDeleted',
      'SampleArtworkRemoved',
      'SampleArtworkRemoved',
      'SampleArtworkRemoved',
      'SampleContentRemoved',
    ])
    const past = { commandId: removal.commandId, streams: [...new Set(events.map(({ stream }) => stream))] }

    // The undo dies too, and is asked for again by somebody who does not know of the first.
    dieAfter(n)
    await expect(undoCommand(open(), past, ownerCommand())).rejects.toThrow('the process died')
    live()
    await undoCommand(open(), past, ownerCommand())
    expect(await leftAsIs(open(), past)).toEqual([])
    expect(await state()).toEqual(before)
  })

  test('leaves what has changed since, and names only that', async () => {
    const { open, state, eventsOf, dieAfter, live } = await site()
    const removal = ownerCommand()
    await removeSamples(open(), removal)
    const streams = [...new Set(eventsOf(removal.commandId).map(({ stream }) => stream))]
    const past = { commandId: removal.commandId, streams }
    await updateContent(open(), { artistName: 'Asha' }, null, ownerCommand())
    dieAfter(1)
    await expect(undoCommand(open(), past, ownerCommand())).rejects.toThrow('the process died')
    live()
    // What is back already may be changed before the rest follows: it was taken back, and is not named.
    await open().executor.execute({
      ...artworkAggregate('w1'),
      command: { type: 'DeleteArtwork' },
      context: ownerCommand(),
      expectedVersion: null,
    })
    await undoCommand(open(), past, ownerCommand())
    expect(await leftAsIs(open(), past)).toEqual([
      {
        subjectId: 'site-content',
        sentence: 'Artist name stays as it is: this was changed again since, so it can no longer be undone',
      },
    ])
    const { artworks, texts } = await state()
    expect([artworks.map((artwork) => artwork?.title), texts.artistName]).toEqual([artworkIds, 'Asha'])
  })

  test('leaves a text empty that she has written and emptied since', async () => {
    const { open, state, eventsOf } = await site()
    const removal = ownerCommand()
    await removeSamples(open(), removal)
    const streams = [...new Set(eventsOf(removal.commandId).map(({ stream }) => stream))]
    for (const artistName of ['Asha', '']) await updateContent(open(), { artistName }, null, ownerCommand())
    const past = { commandId: removal.commandId, streams }
    await undoCommand(open(), past, ownerCommand())
    expect((await state()).texts.artistName).toBe('')
    expect(await leftAsIs(open(), past)).toMatchObject([{ subjectId: 'site-content' }])
  })

  test('an undo of the undo takes away nothing that has become hers', async () => {
    const { open, state, eventsOf } = await site()
    const removal = ownerCommand()
    await removeSamples(open(), removal)
    const streams = [...new Set(eventsOf(removal.commandId).map(({ stream }) => stream))]
    const undoing = ownerCommand()
    await undoCommand(open(), { commandId: removal.commandId, streams }, undoing)
    await open().executor.execute({
      ...artworkAggregate('w2'),
      command: { type: 'ReviseArtwork', changes: { title: 'Hers' }, today: '2026-03-02' },
      context: ownerCommand(),
      expectedVersion: null,
    })

    const past = { commandId: undoing.commandId, streams: [...streams].reverse() }
    await undoCommand(open(), past, ownerCommand())
    const { artworks, categories: kept } = await state()
    expect(artworks.map((artwork) => artwork?.title)).toEqual([undefined, 'Hers', undefined])
    expect(kept).toMatchObject([{ name: 'Hills', deleted: false }])
    expect((await leftAsIs(open(), past)).map(({ sentence }) => sentence)).toEqual([
      'Category “Hills” stays as it is: works are filed under it',
      '“Hers” stays as it is: this was changed again since, so it can no longer be undone',
    ])
  })

  test('an undo of the undo takes all of it away again where nothing has become hers', async () => {
    const { open, state, eventsOf } = await site()
    const removal = ownerCommand()
    await removeSamples(open(), removal)
    const streams = [...new Set(eventsOf(removal.commandId).map(({ stream }) => stream))]
    const gone = await state()
    const undoing = ownerCommand()
    await undoCommand(open(), { commandId: removal.commandId, streams }, undoing)
    const past = { commandId: undoing.commandId, streams: [...streams].reverse() }
    await undoCommand(open(), past, ownerCommand())
    expect(await leftAsIs(open(), past)).toEqual([])
    expect(await state()).toEqual(gone)
  })

  test('names a work whose picture went before pictures were kept', async () => {
    const { open, eventsOf } = await site()
    const removal = ownerCommand(randomUUID())
    await removeSamples(open(), removal)
    const streams = [...new Set(eventsOf(removal.commandId).map(({ stream }) => stream))]
    const app = { ...open(), files: { ...open().files, size: async () => null } }
    await undoCommand(app, { commandId: removal.commandId, streams }, ownerCommand())
    const left = await leftAsIs(app, { commandId: removal.commandId, streams })
    expect(left.map(({ sentence }) => sentence)).toEqual(
      artworkIds.map((title) => `“${title}” stays as it is: its picture is not kept any more`),
    )
  })
})
