import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Binary, GridFSBucket, ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { FileCut } from '#application/kernel/ports/files.ts'
import { doorTo } from '../testing/door.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openFiles } from './files.ts'
import { noAnswerFor } from './mongo.ts'
import { ownDatabase } from './testing/site.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // what the flag puts there

const dayMs = 24 * 60 * 60 * 1_000

await describeOnServers('files in GridFS', ['mongodb'], ({ mongodb }) => {
  const { url, connect } = ownDatabase(mongodb.url, 'files')

  /** Files of a site of its own, as they are so many days from now. */
  const open = async (change: { url?: string; namespace?: string; daysLater?: number } = {}) => {
    const { daysLater = 0, namespace = randomUUID().slice(0, 8) } = change
    const mongo = await connect({ url: change.url ?? url, namespace })
    const now = () => new Date(Date.now() + daysLater * dayMs)
    const chunks = mongo.collection<{ files_id: ObjectId; n: number; data?: Binary }>('files.chunks')
    return { mongo, namespace, chunks, files: await openFiles(mongo, { now, newId: randomUUID }) }
  }

  it('keep no piece of an upload whose source breaks off', async () => {
    const { files, chunks, mongo } = await open()
    const broken = Readable.from(
      (function* () {
        yield randomBytes(3_000_000)
        throw new Error('the visitor went away')
      })(),
    )
    await expect(files.put('originals/a', broken)).rejects.toThrow('the visitor went away')
    expect(await chunks.countDocuments()).toBe(0)
    await mongo.close()
  })

  it('have their indexes also where the driver was cut off before it had made them', async () => {
    const { files, chunks, mongo, namespace } = await open()
    await files.put('images/a/first.jpg', randomBytes(1_000))
    // From now on it takes them for made.
    const both = [mongo.collection('files.files'), chunks]
    for (const each of both) await each.dropIndexes()
    const next = await open({ namespace })
    await next.files.put('images/b/first.jpg', randomBytes(1_000))
    // A server lists them in no order.
    const keysOf = async (each: (typeof both)[number]) =>
      new Set((await each.listIndexes().toArray()).map(({ key }: { key: unknown }) => key))
    expect(await Promise.all(both.map(keysOf))).toEqual([
      new Set([{ _id: 1 }, { filename: 1, uploadDate: 1 }]),
      new Set([{ _id: 1 }, { files_id: 1, n: 1 }]),
    ])
    await mongo.close()
    await next.mongo.close()
  })

  it('open where somebody made an index of another kind by hand, and where a new one takes longer than a start', async () => {
    const namespace = randomUUID().slice(0, 8)
    const mongo = await connect({ url, namespace })
    await mongo.collection('files.chunks').createIndex({ files_id: 1, n: 1 })
    const next = await open({ namespace })
    await next.files.put('images/a/first.jpg', randomBytes(1_000))
    expect((await next.files.open('images/a/first.jpg'))?.size).toBe(1_000)
    const warn = vi.fn<Logger['warn']>()
    // The server goes on with it, of some gigabytes for minutes.
    const slow: typeof mongo.prepare = async () => {
      throw noAnswerFor(5_000)
    }
    const log = { warn }
    const files = await openFiles(
      { ...mongo, log, prepare: slow },
      { now: () => new Date(), newId: randomUUID },
    )
    expect((await files.open('images/a/first.jpg'))?.size).toBe(1_000)
    expect(warn).toHaveBeenCalledOnce()
    await mongo.close()
    await next.mongo.close()
  })

  it('name no file without its pieces where the answer to its record is lost', async () => {
    const { mongo } = await open()
    // The driver's own writer asks the database for its collections.
    const db = new Proxy(mongo.db, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name)
        if (name !== 'collection') return typeof found === 'function' ? found.bind(target) : found
        return (collection: string) =>
          new Proxy(target.collection(collection), {
            get: (inner, method) => {
              const own: unknown = Reflect.get(inner, method)
              if (method !== 'insertOne' || !collection.endsWith('.files'))
                return typeof own === 'function' ? own.bind(inner) : own
              return async (record: object) => {
                await inner.insertOne(record)
                throw new Error('the answer is lost')
              }
            },
          })
      },
    })
    const files = await openFiles({ ...mongo, db }, { now: () => new Date(), newId: randomUUID })
    const whole = randomBytes(700_000)
    await expect(files.put('originals/a', whole)).rejects.toThrow('the answer is lost')
    const kept = await files.open('originals/a')
    expect(kept && (await buffer(kept.stream)).equals(whole)).toBe(true)
    await mongo.close()
  })

  it('sweep pieces of broken uploads after a day, and no others', async () => {
    const { files, chunks, mongo, namespace } = await open()
    const whole = randomBytes(2_500_000)
    await files.put('originals/whole', whole)
    const left = new ObjectId()
    // as a killed process leaves them
    await chunks.insertMany([0, 1].map((n) => ({ files_id: left, n })))
    expect(await files.sweep()).toBe(0)
    const later = await open({ namespace, daysLater: 1.1 })
    expect(await later.files.sweep()).toBe(1)
    expect(await chunks.countDocuments({ files_id: left })).toBe(0)
    const kept = await files.open('originals/whole')
    expect(kept && (await buffer(kept.stream)).equals(whole)).toBe(true)
    await mongo.close()
    await later.mongo.close()
  })

  it('refuse an upload whose pieces are swept by a clock that runs days ahead, and keep nothing of it', async () => {
    const { files, chunks, mongo, namespace } = await open()
    const ahead = await open({ namespace, daysLater: 2 })
    const whole = randomBytes(3_000_000)
    const source = Readable.from(
      (async function* () {
        yield whole.subarray(0, 1_500_000)
        await vi.waitFor(async () => expect(await ahead.files.sweep()).toBe(1), { timeout: 60_000 })
        yield whole.subarray(1_500_000)
      })(),
    )
    await expect(files.put('originals/a', source)).rejects.toThrow(EngineAway)
    expect(await files.size('originals/a')).toBeNull()
    expect(await chunks.countDocuments()).toBe(0)
    await files.put('originals/a', whole)
    expect(await files.readableBytes('originals/a')).toBe(whole.length)
    await mongo.close()
    await ahead.mongo.close()
  })

  it('show what replaces a file that a clock which ran ahead has dated', async () => {
    const { files, mongo } = await open()
    await files.put('images/a/640.jpg', Buffer.from('old'))
    const ahead = new Date(Date.now() + dayMs)
    await mongo.collection('files.files').updateMany({}, { $set: { uploadDate: ahead } })
    await files.replace('images/a/640.jpg', Buffer.from('new'))
    const kept = await files.open('images/a/640.jpg')
    expect(kept && String(await buffer(kept.stream))).toBe('new')
    await mongo.close()
  })

  it('keep what was replaced for a day, for those who read it', async () => {
    const { files, chunks, mongo, namespace } = await open()
    await files.put('images/a/640.jpg', Buffer.from('old'))
    await files.replace('images/a/640.jpg', Buffer.from('new'))
    expect(await files.sweep()).toBe(0)
    const later = await open({ namespace, daysLater: 1.1 })
    expect(await later.files.sweep()).toBe(1)
    expect(await chunks.countDocuments()).toBe(1)
    const kept = await files.open('images/a/640.jpg')
    expect(kept && String(await buffer(kept.stream))).toBe('new')
    await mongo.close()
    await later.mongo.close()
  })

  it('read ranges over the borders of their pieces', async () => {
    const { files, mongo } = await open()
    const bytes = randomBytes(2_500_000)
    await files.put('originals/a', bytes)
    const border = 1024 * 1024
    for (const [start, end] of [
      [border - 5, border + 5],
      [border, 2 * border],
      [2_499_999, 2_500_000],
      [10, 2_400_000],
    ] as const) {
      const part = await files.open('originals/a', { start, end })
      expect(part && (await buffer(part.stream)).equals(bytes.subarray(start, end))).toBe(true)
    }
    await mongo.close()
  })

  it.each<[string, object, boolean]>([
    ['all pieces', {}, false],
    ['the first piece', { n: 0 }, false],
    ['the last piece', { n: 2 }, false],
    ['the end of the last piece', { n: 2 }, true],
    ['the end of a piece in the middle', { n: 1 }, true],
  ])(
    'are known as cut without %s, whoever reads them hears so, and another put heals them',
    async (_, of, isShort) => {
      const { files, chunks, mongo } = await open()
      const bytes = randomBytes(2_500_000)
      await files.put('originals/a', bytes)
      expect(await files.readableBytes('originals/a')).toBe(bytes.length)
      if (isShort) await chunks.updateOne(of, { $set: { data: new Binary(randomBytes(1_000)) } })
      else await chunks.deleteMany(of)
      expect(await files.size('originals/a')).toBe(bytes.length)
      expect(await files.readableBytes('originals/a')).not.toBe(bytes.length)
      const cut = await files.open('originals/a')
      await expect(buffer(cut?.stream ?? Readable.from([]))).rejects.toThrow(FileCut)
      await files.put('originals/a', bytes)
      const healed = await files.open('originals/a')
      expect(healed && (await buffer(healed.stream)).equals(bytes)).toBe(true)
      await mongo.close()
    },
  )

  it('let a reader go away in the middle', async () => {
    const { files, mongo } = await open()
    await files.put('originals/a', randomBytes(5_000_000))
    const file = await files.open('originals/a')
    for await (const _ of file?.stream ?? []) break
    expect(file?.stream.destroyed).toBe(true)
    expect((await files.open('originals/a'))?.size).toBe(5_000_000)
    await mongo.close()
  })

  it('hold little for each of many who read on slowly', async () => {
    const { files, mongo } = await open()
    const bytes = randomBytes(2_000_000)
    // As earlier versions stored it.
    const former = new GridFSBucket(mongo.db, {
      bucketName: mongo.nameOf('files'),
      chunkSizeBytes: 1024 * 1024,
    })
    await pipeline(Readable.from([bytes]), former.openUploadStream('images/a/2560.jpg'))
    const held = (): number => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const before = held()
    const reading: Readable[] = []
    // One after the other: what is asked at once waits for a connection, on a busy machine for too long.
    for (let n = 0; n < 150; n += 1) {
      const file = await files.open('images/a/2560.jpg')
      if (file === null) return expect.fail('There is no such file')
      await once(file.stream, 'readable')
      reading.push(file.stream)
    }
    // What there is room for, and a little for each: a megabyte of 150 is 150 MB more.
    await expect.poll(() => held() - before).toBeLessThan(80_000_000)
    for (const stream of reading) expect((await buffer(stream)).equals(bytes)).toBe(true)
    await mongo.close()
  })

  it('are read piece by piece once, also by more than there was room for in large pieces', async () => {
    const { files, mongo } = await open()
    await files.put('images/a/2560.jpg', randomBytes(2_000_000))
    let [asked, underWay, mostAtOnce] = [0, 0, 0]
    const ask: typeof mongo.ask = async (call, timeoutMs) => {
      asked += 1
      underWay += 1
      mostAtOnce = Math.max(mostAtOnce, underWay)
      try {
        return await mongo.ask(call, timeoutMs)
      } finally {
        underWay -= 1
      }
    }
    const many = await openFiles({ ...mongo, ask }, { now: () => new Date(), newId: randomUUID })
    const reading = await Promise.all(Array.from({ length: 60 }, () => many.open('images/a/2560.jpg')))
    asked = mostAtOnce = 0
    // All of them take a bit in turn, as readers over a network do.
    const bits = reading.map((file) => file?.stream[Symbol.asyncIterator]())
    for (let open = bits; open.length > 0; ) {
      const taken = await Promise.all(
        open.map(async (each) => ((await each?.next())?.done === false ? [each] : [])),
      )
      open = taken.flat()
    }
    expect(asked).toBe(60 * 8)
    // Others find a connection meanwhile: there are twenty.
    expect(mostAtOnce).toBeLessThan(10)
    await mongo.close()
  })

  it('say that MongoDB is away to a reader who waits in line too long', async () => {
    const { files, mongo } = await open()
    await files.put('images/a/2560.jpg', randomBytes(2_000))
    // What is asked for with a limit of its own is a piece: none of them comes.
    const ask: typeof mongo.ask = async (call, timeoutMs) =>
      timeoutMs === undefined ? mongo.ask(call) : new Promise(() => undefined)
    const limits = { uploadMs: 60_000, pieceMs: 200 }
    const stuck = await openFiles({ ...mongo, ask }, { now: () => new Date(), newId: randomUUID }, limits)
    const reading = Array.from({ length: 20 }, async () => {
      const file = await stuck.open('images/a/2560.jpg')
      return buffer(file?.stream ?? Readable.from([]))
    })
    await expect(Promise.race(reading)).rejects.toThrow('MongoDB does not answer (no answer for 0.2 s)')
    await mongo.close()
  })

  it('read nothing for those who have left before their turn', async () => {
    const { files, mongo } = await open()
    await files.put('images/a/2560.jpg', randomBytes(2_000))
    const gate = Promise.withResolvers<void>()
    let read = 0
    const ask: typeof mongo.ask = async (call, timeoutMs) => {
      if (timeoutMs !== undefined) {
        read += 1
        await gate.promise
      }
      return mongo.ask(call, timeoutMs)
    }
    const slow = await openFiles({ ...mongo, ask }, { now: () => new Date(), newId: randomUUID })
    const begin = async (): Promise<Readable> => {
      const file = await slow.open('images/a/2560.jpg')
      return (file?.stream ?? Readable.from([])).resume()
    }
    const leaving: Readable[] = []
    for (let n = 0; n < 20; n += 1) leaving.push(await begin())
    await expect.poll(() => read).toBe(6)
    for (const stream of leaving) stream.destroy()
    const last = buffer(await begin())
    gate.resolve()
    expect((await last).length).toBe(2_000)
    expect(read).toBe(7)
    await mongo.close()
  })

  it('say so at once where hundreds wait in line, and go on with these', async () => {
    const { files, mongo } = await open()
    await files.put('images/a/2560.jpg', randomBytes(2_000))
    const gate = Promise.withResolvers<void>()
    const ask: typeof mongo.ask = async (call, timeoutMs) => {
      if (timeoutMs !== undefined) await gate.promise
      return mongo.ask(call, timeoutMs)
    }
    const slow = await openFiles({ ...mongo, ask }, { now: () => new Date(), newId: randomUUID })
    let refused = 0
    const reading: Promise<unknown>[] = []
    // One after the other: what is asked at once waits for a connection.
    for (let n = 0; n < 6 + 512 + 2; n += 1) {
      const file = await slow.open('images/a/2560.jpg')
      const read = buffer(file?.stream ?? Readable.from([])).catch((error: unknown) => {
        expect(String(error)).toContain('asked by too many at once')
        refused += 1
      })
      reading.push(read)
    }
    await expect.poll(() => refused).toBe(2)
    gate.resolve()
    await Promise.all(reading)
    expect(refused).toBe(2)
    await mongo.close()
  })

  it('say that MongoDB is away when an upload stands still', async () => {
    const door = await doorTo(url)
    const mongo = await connect({ url: door.url, namespace: randomUUID().slice(0, 8) })
    const limits = { uploadMs: 1_500, pieceMs: 60_000 }
    const files = await openFiles(mongo, { now: () => new Date(), newId: randomUUID }, limits)
    const source = Readable.from(
      (async function* () {
        yield randomBytes(2_000_000)
        door.freeze()
        yield randomBytes(2_000_000)
      })(),
    )
    await expect(files.put('originals/a', source)).rejects.toThrow('the upload took too long')
    door.thaw()
    expect(await vi.waitFor(() => files.open('originals/a'), { timeout: 60_000 })).toBeNull()
    await mongo.close()
    await door.close()
  })

  it('say that MongoDB is away, and keep nothing half-written, when it goes in the middle of an upload', async () => {
    const door = await doorTo(url)
    const direct = await open()
    const { files, mongo } = await open({ url: door.url, namespace: direct.namespace })
    const source = Readable.from(
      (async function* () {
        yield randomBytes(2_000_000)
        await door.shut()
        yield randomBytes(2_000_000)
      })(),
    )
    await expect(files.put('originals/a', source)).rejects.toThrow(EngineAway)
    expect(await direct.files.list('')).toEqual([])
    expect(await direct.files.open('originals/a')).toBeNull()
    await door.open()
    await vi.waitFor(() => files.put('originals/a', Buffer.from('whole')), { timeout: 60_000, interval: 100 })
    expect(await direct.files.size('originals/a')).toBe(5)
    await mongo.close()
    await direct.mongo.close()
    await door.close()
  })
})
