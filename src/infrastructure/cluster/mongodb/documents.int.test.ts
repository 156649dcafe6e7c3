import { randomUUID } from 'node:crypto'
import { Collection } from 'mongodb'
import { describe, expect, it } from 'vitest'
import {
  CheckpointMoved,
  type Documents,
  UnreadableDocuments,
  type ViewDefinition,
} from '#application/kernel/ports/documents.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openDocuments } from './documents.ts'
import { longMs, type Mongo } from './mongo.ts'
import { labelId } from './view-places.ts'
import { at, ownDatabase } from './testing/site.ts'

const artworks: ViewDefinition = { name: 'works', version: 1, indexes: [['title'], ['year', 'title']] }
const build: ViewDefinition = { ...artworks, build: 'b1' }

/** Puts one document of which only the text counts. */
const put = (view: ViewDefinition, text: string, from: number, to: number) => ({
  view,
  put: [{ id: 'a', text }],
  remove: [],
  from: from === 0 ? null : at(from),
  to: at(to),
})

await describeOnServers('read models in MongoDB', ['mongodb'], ({ mongodb }) => {
  const { connect } = ownDatabase(mongodb.url, 'documents')

  /** As many processes as asked for, on one site's documents. */
  const processes = async (
    count: number,
    keptMs?: number,
  ): Promise<{ all: Documents[]; mongo: Mongo; close: () => Promise<void> }> => {
    const namespace = randomUUID().slice(0, 8)
    const connections = await Promise.all(Array.from({ length: count }, () => connect({ namespace })))
    const all = connections.map((each) => openDocuments(each, keptMs))
    const [mongo] = connections
    if (!mongo) throw new Error('At least one process')
    return {
      all,
      mongo,
      close: async () => {
        for (const documents of all) await documents.close()
        for (const each of connections) await each.close()
      },
    }
  }
  const one = async (keptMs?: number) => {
    const { all, ...rest } = await processes(1, keptMs)
    const [documents] = all
    if (!documents) throw new Error('One process')
    return { documents, ...rest }
  }

  const collectionsOf = async (mongo: Mongo): Promise<string[]> => {
    const beginning = mongo.nameOf('view_')
    const found = await mongo.db.listCollections({}, { nameOnly: true }).toArray()
    return found.map(({ name }) => name).filter((name) => name.startsWith(beginning))
  }
  const collectionOf = async (mongo: Mongo, key: string): Promise<string> => {
    const place = await mongo.collection<{ _id: string; collection: string }>('views').findOne({ _id: key })
    return place?.collection ?? ''
  }

  it('tells which other versions of views are read somewhere, until they are read no more', async () => {
    const { documents, mongo, close } = await one()
    const named = (version: number): ViewDefinition => ({ ...artworks, version })
    const others: ViewDefinition = { name: 'works_too', version: 4, indexes: [] }
    expect(await documents.serve([named(1), others])).toEqual({ others: [], isAnew: true })
    expect(await documents.serve([others, named(12)])).toEqual({ others: [named(1)], isAnew: true })
    expect(await documents.serve([named(1), others])).toEqual({ others: [named(12)], isAnew: false })
    const served = mongo.collection<{ _id: string; servedAt: Date }>('served')
    // Read no more, or before the clock of MongoDB was set back.
    for (const agoMs of [60_000, -60_000]) {
      const servedAt = new Date(Date.now() - agoMs)
      await served.updateOne({ _id: /works_v12/ }, { $set: { servedAt } })
      expect(await documents.serve([named(1), others])).toEqual({ others: [], isAnew: false })
    }
    await close()
  })

  describe('several runners', () => {
    it('never go back to an older state, also when none knows of the others', async () => {
      const { all, close } = await processes(4)
      const [first] = all
      await first?.prepare([artworks])
      for (let round = 0; round < 5; round += 1) {
        const from = round * 100
        // each takes another part of the log at once; only one can be right about where it stands
        const ends = await Promise.allSettled(
          all.map((documents, n) =>
            documents.write([put(artworks, `up to ${from + n + 1}`, from, from + n + 1)]),
          ),
        )
        expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        const [stands] = (await first?.checkpoints([artworks])) ?? []
        const shown = Number((await first?.get<{ id: string; text: string }>(artworks, 'a'))?.text.slice(6))
        // a document may be ahead of the checkpoint, never behind it
        expect(shown).toBeGreaterThanOrEqual(Number(stands))
        await first?.write([put(artworks, `up to ${from + 100}`, Number(stands), from + 100)])
        expect(await first?.get(artworks, 'a')).toMatchObject({ text: `up to ${from + 100}` })
      }
      await close()
    })

    it('end a batch that both sent alike as one', async () => {
      const { all, close } = await processes(2)
      await all[0]?.prepare([artworks])
      await Promise.all(all.map((documents) => documents.write([put(artworks, 'same', 0, 3)])))
      for (const documents of all) {
        expect(await documents.checkpoints([artworks])).toEqual([at(3)])
        expect(await documents.find(artworks, {})).toEqual([{ id: 'a', text: 'same' }])
      }
      await close()
    })

    it('bring back nothing that was removed by events they have not seen', async () => {
      const { documents, mongo, close } = await one()
      await documents.prepare([artworks])
      await documents.write([put(artworks, 'there', 0, 1)])
      await documents.write([{ view: artworks, put: [], remove: ['a'], from: at(1), to: at(9) }])
      // a runner that believes to stand at 1 writes its document before it hears that it was overtaken
      await mongo
        .collection<{ _id: string; position: string }>('views')
        .updateOne({ _id: 'works_v1' }, { $set: { position: at(1) } })
      await documents.write([put(artworks, 'late', 1, 5)])
      expect(await documents.get(artworks, 'a')).toBeNull()
      expect(await documents.count(artworks, {})).toBe(0)
      await close()
    })

    it('make one place when they prepare at once, and leave no other behind', async () => {
      const { all, mongo, close } = await processes(4)
      await Promise.all(all.map((documents) => documents.prepare([artworks])))
      expect(await collectionsOf(mongo)).toEqual([mongo.nameOf(await collectionOf(mongo, 'works_v1'))])
      await close()
    })
  })

  describe('a switch', () => {
    it('is seen by the next read of every process, and the former documents stay for those who read them', async () => {
      const { all, mongo, close } = await processes(3, 1_000_000)
      const [runner, ...readers] = all
      await runner?.prepare([artworks])
      await runner?.write([put(artworks, 'old', 0, 1)])
      for (const reader of readers) expect(await reader.get(artworks, 'a')).toMatchObject({ text: 'old' })
      const former = await collectionOf(mongo, 'works_v1')
      await runner?.prepare([build])
      await runner?.write([put(build, 'new', 0, 2)])
      await runner?.switchTo([{ built: build, from: at(1) }])
      for (const reader of readers) {
        expect(await reader.get(artworks, 'a')).toMatchObject({ text: 'new' })
        expect(await reader.checkpoints([artworks, build])).toEqual([at(2), null])
      }
      expect(await mongo.collection(former).countDocuments()).toBe(1)
      await close()
    })

    it('fails no read of another process and shows it nothing else than one or the other', async () => {
      // kept for longer than a busy machine stands still in the middle of a read
      const { all, mongo, close } = await processes(3, 3_000)
      const [runner, ...readers] = all
      await runner?.prepare([artworks])
      await runner?.write([put(artworks, 'round 0', 0, 1)])
      let reading = true
      let last = 0
      let reads = 0
      const ends = readers.map(async (reader) => {
        while (reading) {
          const begun = last
          const found = await reader.find<{ id: string; text: string }>(artworks, {})
          expect(found).toHaveLength(1)
          expect(Number(found[0]?.text.slice(6))).toBeGreaterThanOrEqual(begun)
          const then = last
          const one = await reader.get<{ id: string; text: string }>(artworks, 'a')
          expect(Number(one?.text.slice(6))).toBeGreaterThanOrEqual(then)
          reads += 1
        }
      })
      for (let round = 1; round <= 12; round += 1) {
        await runner?.prepare([build])
        await runner?.write([put(build, `round ${round}`, 0, 1)])
        await runner?.switchTo([{ built: build, from: at(1) }])
        last = round
      }
      // the former documents go while others are read
      await expect.poll(() => collectionsOf(mongo)).toHaveLength(1)
      reading = false
      await Promise.all(ends)
      expect(reads).toBeGreaterThan(12)
      await close()
    })

    it('is seen also where an older version made the collection, which brings its label only when it is prepared', async () => {
      const { all, mongo, close } = await processes(2, 1_000_000)
      const [runner, reader] = all
      await runner?.prepare([artworks])
      await runner?.write([put(artworks, 'old', 0, 1)])
      const rows = mongo.collection<{ _id: string }>(await collectionOf(mongo, 'works_v1'))
      const { deletedCount } = await rows.deleteOne({ _id: labelId })
      expect(deletedCount).toBe(1)
      for (const documents of all)
        for (let time = 0; time < 2; time += 1)
          expect(await documents.get(artworks, 'a')).toMatchObject({ text: 'old' })
      await runner?.prepare([artworks, build])
      expect(await rows.countDocuments({ _id: labelId })).toBe(1)
      expect(await reader?.find(artworks, {})).toHaveLength(1)
      await runner?.write([put(build, 'new', 0, 2)])
      await runner?.switchTo([{ built: build, from: at(1) }])
      expect(await reader?.get(artworks, 'a')).toMatchObject({ text: 'new' })
      await close()
    })

    /** A process that something happens to once, behind its first call of `findOne` or before that of `updateOne`. */
    const interrupted = (
      mongo: Mongo,
      method: 'findOne' | 'updateOne',
      work: () => Promise<void>,
    ): Documents => {
      let isOver = false
      const once = async (): Promise<void> => {
        if (isOver) return
        isOver = true
        await work()
      }
      const overlaid = (collection: Collection): object =>
        method === 'findOne'
          ? {
              findOne: async (filter: object) => {
                const found = await Collection.prototype.findOne.call(collection, filter)
                await once()
                return found
              },
            }
          : {
              updateOne: async (filter: object, update: object) => {
                await once()
                return Collection.prototype.updateOne.call(collection, filter, update)
              },
            }
      return openDocuments({
        ...mongo,
        // The rows' fields are the caller's.
        collection: (name) =>
          Object.assign(mongo.collection(name), overlaid(mongo.db.collection(mongo.nameOf(name)))) as never,
      })
    }

    it.each(['findOne', 'updateOne'] as const)(
      'is seen also where another process starts in the middle of it (%s)',
      async (method) => {
        const { all, mongo, close } = await processes(2, 1_000_000)
        const [runner, reader] = all
        await runner?.prepare([artworks, build])
        await runner?.write([put(artworks, 'old', 0, 1), put(build, 'new', 0, 2)])
        expect(await reader?.get(artworks, 'a')).toMatchObject({ text: 'old' })
        const start = async (documents = runner) => documents?.prepare([artworks])
        const change = async (documents = runner) => documents?.switchTo([{ built: build, from: at(1) }])
        const happened: string[] = []
        const other = interrupted(mongo, method, async () => {
          happened.push(method)
          await (method === 'findOne' ? change() : start())
        })
        await (method === 'findOne' ? start(other) : change(other))
        expect(happened).toEqual([method])
        expect(await reader?.get(artworks, 'a')).toMatchObject({ text: 'new' })
        await other.close()
        await close()
      },
    )

    it('stops a runner that stands where the former documents stood', async () => {
      const { all, close } = await processes(2)
      const [runner, other] = all
      await runner?.prepare([artworks, build])
      await runner?.write([put(artworks, 'old', 0, 1), put(build, 'new', 0, 2)])
      await runner?.switchTo([{ built: build, from: at(1) }])
      await expect(other?.write([put(artworks, 'late', 1, 3)])).rejects.toBeInstanceOf(CheckpointMoved)
      expect(await runner?.get(artworks, 'a')).toMatchObject({ text: 'new' })
      await close()
    })

    it('that broke off on its way is ended by the next try, and never written to as a build', async () => {
      const { documents, mongo, close } = await one()
      const places = mongo.collection<{ _id: string; collection: string; position: string | null }>('views')
      await documents.prepare([artworks, build])
      await documents.write([put(artworks, 'old', 0, 1), put(build, 'new', 0, 2)])
      const left = await places.findOne({ _id: 'works_v1~b1' })
      await documents.switchTo([{ built: build, from: at(1) }])
      if (left) await places.insertOne(left)
      await documents.switchTo([{ built: build, from: at(1) }])
      expect(await documents.checkpoints([artworks, build])).toEqual([at(2), null])

      if (left) await places.insertOne(left)
      await documents.prepare([artworks])
      expect(await documents.checkpoints([artworks])).toEqual([at(2)])
      expect(await documents.get(artworks, 'a')).toMatchObject({ text: 'new' })
      await documents.prepare([build])
      expect(await documents.find(build, {})).toEqual([])
      if (left) await places.replaceOne({ _id: left._id }, left)
      await documents.drop(build)
      expect(await documents.get(artworks, 'a')).toMatchObject({ text: 'new' })
      await close()
    })

    it('lets go of the former documents a while later', async () => {
      const { documents, mongo, close } = await one(20)
      await documents.prepare([artworks, build])
      await documents.write([put(artworks, 'old', 0, 1), put(build, 'new', 0, 2)])
      await documents.switchTo([{ built: build, from: at(1) }])
      await expect.poll(() => collectionsOf(mongo)).toHaveLength(1)
      expect(await documents.get(artworks, 'a')).toMatchObject({ text: 'new' })
      await close()
    })
  })

  it('removes what a killed process left of its views, and nothing of others', async () => {
    const { documents, mongo, close } = await one(20)
    await documents.prepare([artworks])
    const left = [
      'view_works_v1_0123abcd',
      'view_works_v1~b1_0123abcd',
      'view_works_v2_0123abcd',
      'view_others_v1_0123abcd',
    ]
    for (const name of left) await mongo.collection(name).insertOne({ left: true })
    await documents.prepare([artworks])
    const kept = [await collectionOf(mongo, 'works_v1'), ...left.slice(1)].map(mongo.nameOf)
    await expect.poll(() => collectionsOf(mongo).then((names) => names.toSorted())).toEqual(kept.toSorted())
    await close()
  })

  it('has the declared indexes, each ending on the id, and brings them to what is declared later', async () => {
    const { documents, mongo, close } = await one()
    const indexes = async () => {
      const found = await mongo
        .collection(await collectionOf(mongo, 'works_v1'))
        .listIndexes()
        .toArray()
      return found
        .filter(({ name }) => name !== '_id_')
        .map(({ name, key }) => [String(name), Object.keys(key as object).join()] as const) // as MongoDB lists them
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
    }
    await documents.prepare([artworks])
    expect(await indexes()).toEqual([
      ['by_title', 'doc.title,_id'],
      ['by_year_title', 'doc.year,doc.title,_id'],
    ])
    await documents.prepare([{ ...artworks, indexes: [['title'], ['rank']] }])
    expect((await indexes()).map(([name]) => name)).toEqual(['by_rank', 'by_title'])
    await close()
  })

  it('keeps lists as text, reads those of former versions, and says where they cannot be read', async () => {
    const { documents, mongo, close } = await one()
    const document = { id: 'a', text: 'x', lines: [{ deep: [1, 'ष'] }, null], none: [], beside: { of: [1] } }
    await documents.prepare([artworks])
    await documents.write([{ ...put(artworks, 'x', 0, 1), put: [document] }])
    const rows = mongo.collection<{ _id: string }>(await collectionOf(mongo, 'works_v1'))
    expect(await documents.find(artworks, {})).toEqual([document])
    expect(await rows.findOne({ _id: 'a' })).toEqual({
      _id: 'a',
      at: at(1),
      doc: { id: 'a', text: 'x', beside: { of: [1] } },
      lists: JSON.stringify({ lines: document.lines, none: [] }),
    })
    await rows.updateOne({ _id: 'a' }, { $set: { lists: '{' } })
    await expect(documents.get(artworks, 'a')).rejects.toThrow(UnreadableDocuments)
    expect(await documents.findStored(artworks, {})).toEqual([{ id: 'a', document: null }])
    await rows.replaceOne({ _id: 'a' }, { at: at(1), doc: document })
    expect(await documents.get(artworks, 'a')).toEqual(document)
    await close()
  })

  it('has as long for a switch of all views as for what writes much', async () => {
    const { mongo, close } = await one()
    const given: (number | undefined)[] = []
    const ask: Mongo['ask'] = (call, timeoutMs) => {
      given.push(timeoutMs)
      return mongo.ask(call, timeoutMs)
    }
    const documents = openDocuments({ ...mongo, ask })
    await documents.prepare([artworks, build])
    await documents.write([put(artworks, 'old', 0, 1), put(build, 'new', 0, 1)])
    given.length = 0
    await documents.switchTo([{ built: build, from: at(1) }])
    expect(given[0]).toBe(longMs)
    await documents.close()
    await close()
  })

  it('reads nothing where a view was never prepared, and refuses to write there', async () => {
    const { documents, close } = await one()
    expect(await documents.get(artworks, 'a')).toBeNull()
    expect(await documents.count(artworks, {})).toBe(0)
    await expect(documents.write([put(artworks, 'x', 0, 1)])).rejects.toThrow('was never prepared')
    await close()
  })

  it.each([
    ["title') OR 1=1", 'x'],
    ['a.b', 'x'],
    ['$where', 'x'],
  ])('refuses the field name %j', async (field, wanted) => {
    const { documents, close } = await one()
    await expect(documents.find(artworks, { where: { [field]: wanted } })).rejects.toThrow(
      'cannot name a field',
    )
    await expect(documents.count(artworks, { [field]: wanted })).rejects.toThrow('cannot name a field')
    await close()
  })
})
