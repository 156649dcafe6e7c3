import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Binary, type GridFSBucketWriteStream, type GridFSFile, GridFSBucket, type ObjectId } from 'mongodb'
import { z } from 'zod'
import type { Clock } from '#application/kernel/ports/clock.ts'
import { isOutage } from '#application/kernel/outage.ts'
import { brokenOffMs, type FileStore, checkedKey } from '#application/kernel/ports/files.ts'
import { partOf, streamOf } from '../../file-streams.ts'
import { bytesIn, type Chunk, handedOver, readPieces } from './file-pieces.ts'
import { longMs, type Mongo, awayBecause, translated, whatIsKept } from './mongo.ts'

/**
 * Bytes of a piece of a file, as it is stored from now on: where more read at once than there is room for pieces, each
 * piece is read again for each bit that is handed over.
 */
const chunkBytes = 256 * 1024
/** What the server tells of its database: bytes of the disk that the data lies on. */
const diskStats = z.object({ fsTotalSize: z.number().optional(), fsUsedSize: z.number().optional() })
/**
 * How long an upload may take, for the driver can wait for ever on a connection that ended at the wrong moment; and how
 * long a piece waits for its turn, and then again for the server; in ms.
 */
const usualLimits = { uploadMs: 120_000, pieceMs: longMs }
/** Behind every character that a key may hold: ends the range of keys that begin alike. */
const behindAll = '~'

/** @throws the signal's reason once it is aborted */
const ended = async (signal: AbortSignal): Promise<never> => {
  await once(signal, 'abort')
  throw signal.reason
}

/** The files of a site in GridFS: the driver's own view of them, its two collections, and what is found by a key. */
const bucketOf = (mongo: Mongo, pieceMs: number) => {
  const { ask } = mongo
  const bucketName = mongo.nameOf('files')
  // one for the process: it makes its indexes once
  const grid = new GridFSBucket(mongo.db, { bucketName, chunkSizeBytes: chunkBytes })
  const chunks = mongo.db.collection<Chunk>(`${bucketName}.chunks`)
  const names = mongo.db.collection(`${bucketName}.files`)
  const named = (key: string, how?: typeof whatIsKept) =>
    grid.find({ filename: key }, how).sort({ uploadDate: -1, _id: -1 })
  const newest = async (key: string, how?: typeof whatIsKept): Promise<GridFSFile | null> =>
    (await ask(() => named(key, how).limit(1).toArray()))[0] ?? null
  /** First its name, so that nobody finds a file without its pieces. */
  const removeFile = async (id: ObjectId): Promise<void> => {
    await names.deleteOne({ _id: id })
    await chunks.deleteMany({ files_id: id })
  }
  const removeAll = async (key: string): Promise<void> => {
    for (const { _id } of await ask(() => named(key).toArray())) await ask(() => removeFile(_id))
  }
  return {
    mongo,
    grid,
    names,
    chunks,
    pieces: readPieces(mongo, chunks, pieceMs),
    newest,
    removeFile,
    removeAll,
  }
}

type Bucket = ReturnType<typeof bucketOf>

/**
 * As the driver makes them, which does so at a first upload alone: once a file is there it takes them for made, also where it
 * was cut off before. Without them each piece is looked for among all there are, which is slow and no reason not to start: of
 * many files they take minutes, through which the server goes on, and somebody may have made another one of that name.
 */
const makeIndexes = async ({ mongo, names, chunks }: Bucket): Promise<void> => {
  const make = () =>
    Promise.all([
      names.createIndex({ filename: 1, uploadDate: 1 }),
      chunks.createIndex({ files_id: 1, n: 1 }, { unique: true }),
    ])
  await mongo
    .prepare(make)
    .catch((err: unknown) => mongo.log.warn({ err }, 'The indexes of the images are not made, or not yet'))
}

/** A copy stands before those that were there, also one that a clock which ran ahead has dated. */
const putFirst = async ({ mongo, names, newest }: Bucket, key: string, id: ObjectId): Promise<void> => {
  const first = await newest(key)
  if (first === null || first._id.equals(id)) return
  const uploadDate = new Date(first.uploadDate.getTime() + 1)
  await mongo.ask(() => names.updateOne({ _id: id }, { $set: { uploadDate } }))
}

/** Another process's sweep, by a clock that is days off, takes pieces of what is under way for those of a broken upload. */
const refuseCut = async (
  { mongo, chunks, removeFile }: Bucket,
  { id, length }: GridFSBucketWriteStream,
): Promise<void> => {
  const pieces = await mongo.ask(() => chunks.countDocuments({ files_id: id }))
  if (pieces === Math.ceil(length / chunkBytes)) return
  await mongo.ask(() => removeFile(id))
  throw awayBecause('a part of the upload is gone')
}

const upload = async (bucket: Bucket, key: string, source: Readable, withinMs: number): Promise<void> => {
  const { mongo, grid, chunks } = bucket
  const stream = grid.openUploadStream(key)
  const limit = AbortSignal.timeout(withinMs)
  const whole = pipeline(source, stream, { signal: limit })
  // Heard of in the race below, unless it ends after the limit.
  whole.catch(() => undefined)
  try {
    // While the driver makes its indexes a pipeline waits for it, whatever its signal says.
    await Promise.race([whole, ended(limit)])
  } catch (error) {
    // Once all of it was read its record may be under way: what is written late must not name a file without its pieces.
    // What nobody names, and what cannot be removed now because MongoDB is away, is swept later.
    const remove = source.readableEnded
      ? Promise.resolve()
      : mongo.ask(() => chunks.deleteMany({ files_id: stream.id }))
    await remove.catch((thrown: unknown) =>
      mongo.log.warn({ err: thrown }, 'Pieces of a broken upload stay until they are swept'),
    )
    throw limit.aborted ? awayBecause('the upload took too long') : translated(error)
  }
  await refuseCut(bucket, stream)
  await putFirst(bucket, key, stream.id)
}

/**
 * What its pieces hold: their number and the last one's length tell, and those before it that are not full. Of those
 * only the server tells, without sending all: it compares bytes by their length first.
 */
const bytesOf = async ({ mongo, chunks }: Bucket, { _id, chunkSize }: GridFSFile): Promise<number> =>
  mongo.ask(async () => {
    const [pieces, last] = await Promise.all([
      chunks.countDocuments({ files_id: _id }),
      chunks.findOne({ files_id: _id }, { sort: { n: -1 } }),
    ])
    if (last === null) return 0
    const all = (pieces - 1) * chunkSize + last.data.length()
    if (pieces < 2) return all
    const full = new Binary(Buffer.alloc(chunkSize))
    const short = chunks.find({ files_id: _id, n: { $lt: last.n }, data: { $lt: full } })
    return (await short.toArray()).reduce((sum, { data }) => sum - chunkSize + data.length(), all)
  }, longMs)

const isWhole = async (bucket: Bucket, key: string): Promise<boolean> => {
  const there = await bucket.newest(key, whatIsKept)
  return there !== null && (await bytesOf(bucket, there)) === there.length
}

/** Removes chunks whose upload was broken off: too old to be still under way, and no file names them. */
const sweepChunks = async ({ grid, chunks }: Bucket, before: number): Promise<number> => {
  let removed = 0
  for await (const { _id } of chunks.aggregate<{ _id: ObjectId }>([{ $group: { _id: '$files_id' } }])) {
    if (_id.getTimestamp().getTime() > before || (await grid.find({ _id }).hasNext())) continue
    await chunks.deleteMany({ files_id: _id })
    removed += 1
  }
  return removed
}

/** Removes what was replaced, and all but one of equal copies. */
const sweepFormer = async (bucket: Bucket, before: number): Promise<number> => {
  let removed = 0
  let newer: GridFSFile | null = null
  for await (const file of bucket.grid.find({}).sort({ filename: 1, uploadDate: -1, _id: -1 })) {
    if (newer?.filename !== file.filename) newer = file
    else if (newer.uploadDate.getTime() < before) {
      await bucket.removeFile(file._id)
      removed += 1
    }
  }
  return removed
}

/** Free bytes of the server's disk; null where it does not tell, or not this account. */
const roomOf = async ({ ask, db }: Mongo): Promise<number | null> => {
  const stats = await ask(() => db.stats()).catch((error: unknown) => {
    if (isOutage(error)) throw error
    return {}
  })
  const { fsTotalSize: total, fsUsedSize: used } = diskStats.parse(stats)
  return total === undefined || used === undefined || total === 0 ? null : total - used
}

/**
 * Files in GridFS, the key as the file's name. Each upload has an id of its own and names the file only when all
 * of it is stored: uploads of one key at once are each whole, and readers take the newest. What was
 * replaced stays for those who read it, until it is swept.
 */
export const openFiles = async (
  mongo: Mongo,
  clock: Clock,
  { uploadMs, pieceMs } = usualLimits,
): Promise<FileStore> => {
  const bucket = bucketOf(mongo, pieceMs)
  await makeIndexes(bucket)
  const { grid, names, newest, removeAll } = bucket
  const store = (key: string, source: Readable): Promise<void> => upload(bucket, key, source, uploadMs)
  return {
    put: async (key, source) => {
      const stream = streamOf(source)
      if (await isWhole(bucket, checkedKey(key))) stream.destroy()
      else await store(key, stream)
    },
    replace: async (key, source) => store(checkedKey(key), streamOf(source)),
    putFile: async (key, path) => {
      if (!(await isWhole(bucket, checkedKey(key)))) await store(key, createReadStream(path))
    },
    open: async (key, range) => {
      const file = await newest(checkedKey(key))
      if (file === null) return null
      const size = file.length
      const bytes = bytesIn(bucket.pieces, key, file, partOf(size, range), () => stream.destroyed)
      const stream = Readable.from(bytes, { objectMode: false, highWaterMark: handedOver })
      return { size, stream }
    },
    size: async (key) => (await newest(checkedKey(key)))?.length ?? null,
    readableBytes: async (key) => {
      const file = await newest(checkedKey(key))
      return file === null ? null : bytesOf(bucket, file)
    },
    list: async (prefix) => {
      const range = { filename: { $gte: prefix, $lt: prefix + behindAll } }
      const found = await mongo.ask(() => grid.find(range).project({ filename: 1 }).toArray(), longMs)
      return [...new Set(found.map(({ filename }) => String(filename)))]
    },
    move: async (from, to) => {
      const [source, target] = [checkedKey(from), checkedKey(to)]
      if ((await newest(source)) === null) return
      await removeAll(target)
      // All of its copies: an older one would be found under the key again.
      await mongo.ask(() => names.updateMany({ filename: source }, { $set: { filename: target } }))
    },
    remove: async (keys) => {
      for (const key of keys.map(checkedKey)) await removeAll(key)
    },
    sweep: async () => {
      const before = clock.now().getTime() - brokenOffMs
      try {
        return (await sweepChunks(bucket, before)) + (await sweepFormer(bucket, before))
      } catch (thrown) {
        throw translated(thrown)
      }
    },
    room: async () => roomOf(mongo),
  }
}
