import { buffer } from 'node:stream/consumers'
import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { firstKey, variantKey } from '#application/images/image-files.ts'
import { FileCut } from '#application/kernel/ports/files.ts'
import { remakeVariants } from '#application/images/take-image.ts'
import { findImage } from '#projections/images/queries.ts'
import type { WebDeps } from '../deps.ts'
import { forEver } from '../door/headers.ts'
import { untilLeft } from '../door/until-left.ts'
import { atMost } from '#application/kernel/turns.ts'
import { shareWork } from '#application/kernel/sharing.ts'
import { type Sent, sendFile, type Store, tagOf } from './stored-files.ts'

type Deps = Pick<WebDeps, 'app' | 'documents'>

/** So many variants are remembered as whole. */
const mostKnownWhole = 50_000
/** So many are looked at at once. */
const mostLookedAt = 16

/**
 * Looks once whether a variant's file is what the log says, and has it made anew where it is not: an address whose
 * answer is kept for a year must not answer half an image.
 */
export const guardVariants = ({ app, documents }: Deps) => {
  const whole = new LRUCache<string, true>({ max: mostKnownWhole })
  const once = shareWork<boolean>()
  const inTurn = atMost(mostLookedAt)

  const isWholeIn = async (key: string, size: number, type: ImageExtension): Promise<boolean> => {
    try {
      const file = await app.files.open(key)
      if (file === null) return false
      const bytes = await buffer(file.stream)
      return bytes.length === size && isWholeImage(bytes, type)
    } catch (error) {
      if (error instanceof FileCut) return false
      // Of one that cannot be read just now nobody knows whether it is whole.
      throw error
    }
  }

  /** Each lies in memory as a whole meanwhile, and after a start nobody has looked at any. */
  const look = (...file: Parameters<typeof isWholeIn>): Promise<boolean> => inTurn(() => isWholeIn(...file))

  /**
   * Has the variants of an image made anew where this one is not whole.
   * @returns false when the log knows such a variant and there is none, or not all of it
   * @throws what kept it from being read, as where the store is asked by too many
   */
  const ensureSound = async (hash: string, width: number, type: ImageExtension): Promise<boolean> => {
    const key = variantKey(hash, width, type)
    const size = await app.files.size(key)
    const tag = size === null ? key : tagOf(key, size)
    if (whole.has(tag)) return true
    return once(tag, async () => {
      const image = await findImage(documents, hash)
      // What the log does not name is being made, or of a size that is no more.
      if (image?.ready !== true || !image.widths.includes(width) || !image.formats.includes(type)) return true
      if (size !== null && (await look(key, size, type))) {
        whole.set(tag, true)
        return true
      }
      await remakeVariants(app, hash)
      return false
    })
  }

  /**
   * Of a JPEG that the log says no size of, a first view or a card.
   * @returns false when there is none, or not all of it
   */
  const isJpegSound = async (key: string): Promise<boolean> => {
    const size = await app.files.size(key)
    if (size === null) return false
    const tag = tagOf(key, size)
    if (whole.has(tag)) return true
    return once(tag, async () => {
      const sound = await look(key, size, 'jpg')
      if (sound) whole.set(tag, true)
      return sound
    })
  }

  return {
    ensureSound,
    isJpegSound,
    /** What was found whole once was not, when it was read: it is looked at anew. */
    wasCut: async (hash: string, width: number, type: ImageExtension): Promise<void> => {
      const key = variantKey(hash, width, type)
      const size = await app.files.size(key)
      if (size !== null) whole.delete(tagOf(key, size))
      await ensureSound(hash, width, type)
    },
  }
}

/** Tells of files whether all of them is there, and has variants made anew that are not. */
export type Guard = ReturnType<typeof guardVariants>

/** Until a size is made anew the first view stands in, which nobody keeps. */
const sendFirst = async (ctx: Context, store: Store, guard: Guard, hash: string): Promise<Sent> =>
  (await untilLeft(ctx.res, guard.isJpegSound(firstKey(hash))))
    ? sendFile(ctx, store, firstKey(hash), 'no-store')
    : 'none'

/** Answers with a size of an image, or with what stands in for it. */
export const sendVariant = async (
  ctx: Context,
  store: Store,
  guard: Guard,
  ...[hash, width, type]: Parameters<Guard['ensureSound']>
): Promise<Sent> => {
  if (!(await untilLeft(ctx.res, guard.ensureSound(hash, width, type))))
    return sendFirst(ctx, store, guard, hash)
  const wasCut = (): Promise<void> => guard.wasCut(hash, width, type)
  const sent = await sendFile(ctx, store, variantKey(hash, width, type), forEver, wasCut)
  return sent === 'cut' ? sendFirst(ctx, store, guard, hash) : sent
}

/** The largest public JPEG of an image; until it is ready the first displayable one, kept by nobody. */
export const sendView = async (
  ctx: Context,
  documents: Deps['documents'],
  store: Store,
  guard: Guard,
  hash: string,
): Promise<Sent> => {
  const image = await findImage(documents, hash)
  const widest = image?.ready && image.formats.includes('jpg') ? Math.max(...image.widths) : null
  const sent = widest === null ? 'none' : await sendVariant(ctx, store, guard, hash, widest, 'jpg')
  return sent === 'sent' ? sent : sendFirst(ctx, store, guard, hash)
}

/** The formats of variants, by the ends of their addresses. */
export type ImageExtension = Parameters<typeof variantKey>[2]

/** A JPEG ends with its own mark (ITU T.81, B.1.1.3), a WebP says its length (RIFF), an AVIF that of each box (ISO 14496-12). */
const ends: Readonly<Record<ImageExtension, (bytes: Buffer) => boolean>> = {
  jpg: (bytes) =>
    bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9,
  webp: (bytes) => {
    if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RIFF') return false
    const length = bytes.readUInt32LE(4)
    return bytes.length === 8 + length + (length % 2)
  },
  avif: (bytes) => {
    if (bytes.length < 12 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false
    for (let at = 0; at < bytes.length; ) {
      if (at + 16 > bytes.length) return false
      const short = bytes.readUInt32BE(at)
      // 1: the length follows in eight bytes; 0: the box goes to the end
      const length = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
      if (length === 0) return true
      if (length < 8 || at + length > bytes.length) return false
      at += length
    }
    return true
  },
}

/** Whether an image's file goes on to its end: nothing of it was cut, nor its end overwritten with zeros. */
export const isWholeImage = (bytes: Buffer, type: ImageExtension): boolean => ends[type](bytes)
