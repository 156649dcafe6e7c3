import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Binary, Collection, GridFSFile, ObjectId } from 'mongodb'
import { type ByteRange, FileCut } from '#application/kernel/ports/files.ts'
import { atMost } from '#application/kernel/turns.ts'
import { askedByTooMany, type Mongo, noAnswerFor } from './mongo.ts'

/** Of the pieces that are being read those asked for last are kept, of all readers together, in bytes. */
const roomForPieces = 32 * 1024 * 1024
/** So many pieces are read at once, of the driver's twenty connections: who asks for anything else finds one. */
const mostAtOnce = 6
/** Readers that wait for a piece. Of those who have left nothing is read when their turn comes. */
const mostWaiting = 512
/** A reader is handed so many bytes at once, and holds little more however slowly it reads. */
export const handedOver = 64 * 1024

/** A piece of a file, as the driver stores it. */
export interface Chunk {
  readonly files_id: ObjectId
  readonly n: number
  readonly data: Binary
}

/** What somebody reads: a piece of a file, and whether they have left. */
interface Asked {
  readonly piece: Pick<Chunk, 'files_id' | 'n'>
  readonly hasLeft: () => boolean
}

/** A piece by its reader and its number: whoever begins to read hears what lacks. Undefined when it is missing. */
type Pieces = LRUCache<string, Uint8Array, Asked>

/**
 * The pieces that are being read. What is dropped to make room is read again when its reader goes on: a piece belongs to one
 * upload and never changes.
 * @param ms how long a reader waits for its turn, and then again for the server
 */
export const readPieces = ({ ask }: Mongo, chunks: Collection<Chunk>, ms: number): Pieces => {
  const inTurn = atMost(mostAtOnce, { most: mostWaiting, full: askedByTooMany })
  const wait = { ms, late: () => noAnswerFor(ms) }
  return new LRUCache({
    maxSize: roomForPieces,
    sizeCalculation: ({ length }) => Math.max(1, length),
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: { piece, hasLeft } }) => {
      const read = () => ask(() => chunks.findOne(piece), ms)
      return (await inTurn(async () => (hasLeft() ? null : read()), wait))?.data.value()
    },
  })
}

/** The bits of a file for one reader, each copied: else the whole piece would stay in memory with it. */
const bitsFor = (
  pieces: Pieces,
  key: string,
  { _id: files_id, chunkSize, length }: GridFSFile,
  hasLeft: () => boolean,
) => {
  const reader = randomUUID()
  const nameOf = (at: number): string => `${reader} ${Math.floor(at / chunkSize)}`
  return {
    bitAt: async (at: number, end: number): Promise<Buffer> => {
      const n = Math.floor(at / chunkSize)
      const begin = n * chunkSize
      const piece = await pieces.fetch(nameOf(at), { context: { piece: { files_id, n }, hasLeft } })
      if (piece?.length !== Math.min(chunkSize, length - begin)) throw new FileCut(key)
      const to = Math.min(at + handedOver, begin + piece.length, end)
      if (to === begin + piece.length) pieces.delete(nameOf(at))
      return Buffer.from(piece.subarray(at - begin, to - begin))
    },
    letGo: (at: number): boolean => pieces.delete(nameOf(at)),
  }
}

/**
 * A part of a file, bit by bit; fails where a piece is missing, and where too many wait or the server does not answer. The driver's own download holds all pieces of an answer of the server, up to 16 MB, for
 * each reader: some hundred that read slowly took all memory. No piece has a name here, for a generator that waits for
 * its reader keeps in memory whatever has one.
 */
export async function* bytesIn(
  pieces: Pieces,
  key: string,
  file: GridFSFile,
  { start, end }: ByteRange,
  hasLeft: () => boolean,
): AsyncGenerator<Buffer> {
  const { bitAt, letGo } = bitsFor(pieces, key, file, hasLeft)
  let at = start
  try {
    while (at < end) {
      const bit = await bitAt(at, end)
      yield bit
      at += bit.length
    }
  } finally {
    // Of a reader who went away, too.
    letGo(at)
  }
}
