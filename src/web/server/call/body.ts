import { atMost } from '#application/kernel/turns.ts'
import { within } from '#application/kernel/within.ts'
import { parse as parseForm } from 'node:querystring'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Context } from 'koa'
import { HttpMethodEnum, koaBody } from 'koa-body'
import type { Call } from '#web/contract/call.ts'
import { limits } from '#web/contract/limits.ts'
import { codeOf } from '#application/kernel/reason.ts'
import { hasBody } from '../door/discard-rest.ts'
import { CallRefused, ReaderLeft, SiteBusy, tooLarge } from '../door/errors.ts'
import { inPlace } from './body-places.ts'

/** Takes in a body's bytes as they come, one character for each: what they say is decoded here, strictly. */
const bytesTaker = (most: number) =>
  koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    patchNode: false,
    parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.DELETE],
    text: true,
    textTypes: ['json', '+json', 'urlencoded'],
    textLimit: most,
    encoding: 'binary',
  })

/** How much a body may be, and how long it may take to arrive. */
const manners = {
  visitor: {
    most: limits.visitorBytes,
    takeBytes: bytesTaker(limits.visitorBytes),
    withinMs: limits.visitorBodyMs,
  },
  owner: { most: limits.jsonBytes, takeBytes: bytesTaker(limits.jsonBytes), withinMs: limits.ownerBodyMs },
} as const
type BodySender = keyof typeof manners

/** @throws {CallRefused} 408 for a body that drips */
const inTime = <T>(work: Promise<T>, withinMs: number): Promise<T> =>
  within(work, withinMs, () => {
    throw new CallRefused(408, 'The request took too long to arrive. Please try again')
  })

/** What would reach the prototype of an object is refused before any schema sees it. */
const prototypeKey = '__proto__'
const refuseForeign = (parsed: unknown): unknown => {
  const open = [parsed]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, prototypeKey)) {
      const message = `"${prototypeKey}" is not a field of any call`
      throw new CallRefused(422, message, { fields: { [prototypeKey]: message } })
    }
    for (const each of Object.values(value)) open.push(each)
  }
  return parsed
}

const unreadable = (kind: 'form' | 'json'): CallRefused =>
  new CallRefused(
    400,
    `The body cannot be read: it must be ${kind === 'form' ? 'a form' : 'valid JSON'} in UTF-8`,
  )

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** So many characters of JSON stand outside of its texts at most where no session is known: a visitor sends a few fields. */
const mostOutsideTexts = 1_000

/** Whether `text` has more than {@link mostOutsideTexts}: thousands of brackets or fields are long to parse and to look at. */
const isIntricate = (text: string): boolean => {
  let outside = 0
  let isInside = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isInside = !isInside
    else if (!isInside) outside += 1
    // What stands behind it is part of the text.
    else if (character === '\\') at += 1
    if (outside > mostOutsideTexts) return true
  }
  return false
}

/** @throws {CallRefused} 400 */
const jsonOf = (text: string, sender: BodySender): unknown => {
  if (sender === 'visitor' && isIntricate(text))
    throw new CallRefused(400, 'The body cannot be read: it holds more than any call takes')
  const value: unknown = JSON.parse(text)
  // It may be written in escapes.
  return text.includes(prototypeKey) || text.includes('\\u') ? refuseForeign(value) : value
}

/** @throws {CallRefused} 400 for bytes that are no UTF-8, which would else be replaced in silence, and for no JSON */
const parsed = (bytes: Buffer, kind: 'form' | 'json', sender: BodySender): unknown => {
  try {
    const text = utf8.decode(bytes)
    return kind === 'form' ? { ...parseForm(text) } : jsonOf(text, sender)
  } catch (error) {
    throw error instanceof CallRefused ? error : unreadable(kind)
  }
}

const refuseType = (wanted: string): never => {
  throw new CallRefused(415, `This call takes ${wanted}: send it with the matching Content-Type`)
}

/** How a packed body is unpacked, once all of it is there: one that is begun and not ended costs no more than its bytes. */
const unpackers = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const
type Packing = keyof typeof unpackers
const packings = Object.keys(unpackers)

/**
 * How the body is packed, null for one that is not.
 * @throws {CallRefused} 415 for a way that nobody here can undo
 */
const packingOf = ({ req }: Context, understood: readonly string[]): Packing | null => {
  const named = req.headers['content-encoding'] ?? ''
  const packing = named.trim().toLowerCase()
  if (packing === '' || packing === 'identity') return null
  // Among the keys of the table.
  if (understood.includes(packing)) return packing as Packing
  throw new CallRefused(
    415,
    `Send the body without Content-Encoding: “${named.slice(0, 40)}” is not understood here`,
  )
}

/** @throws {CallRefused} 415 for a packed body, of a call whose bodies are never unpacked */
export const refuseCompressed = (ctx: Context): void => void packingOf(ctx, [])

/** @throws {CallRefused} 400 for what is not packed so, 413 for what is more than `most` bytes unpacked */
const unpacked = async (bytes: Buffer, packing: Packing, most: number): Promise<Buffer> => {
  try {
    return await unpackers[packing](bytes, { maxOutputLength: most })
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new CallRefused(413, tooLarge)
    throw new CallRefused(
      400,
      `The body cannot be unpacked: it is not what Content-Encoding says (${packing})`,
    )
  }
}

/**
 * To be asked before a reader begins: of a request that was broken off already it would hear nothing more, and wait for ever.
 * @throws {ReaderLeft}
 */
export const refuseBrokenOff = ({ req }: Pick<Context, 'req'>): void => {
  if (req.destroyed) throw new ReaderLeft()
}

/**
 * Those of visitors one after the other: a few bytes of brotli have its reader take two and a half megabytes, or a fifth of a
 * second. Each that waits holds all its bytes, also where its sender has left. No browser packs a body.
 */
const unpackInTurn = atMost(1, { most: 32, full: () => new SiteBusy() })

/** The body's bytes. @throws {CallRefused} 400 for what cannot be unpacked, 408, 413, 415; {SiteBusy} where too many wait to be unpacked */
const taken = async (ctx: Context, sender: BodySender): Promise<Buffer> => {
  const { takeBytes, withinMs, most } = manners[sender]
  const packing = packingOf(ctx, packings)
  refuseBrokenOff(ctx)
  // The reader would unpack while it reads.
  ctx.req.headers['content-encoding'] = 'identity'
  await inTime(
    takeBytes(ctx, async () => {}),
    withinMs,
  )
  const { body } = ctx.request
  const bytes = Buffer.from(typeof body === 'string' ? body : '', 'binary')
  if (packing === null) return bytes
  const unpack = () => unpacked(bytes, packing, most)
  return sender === 'owner' ? unpack() : unpackInTurn(unpack)
}

/**
 * Reads the body that a call takes, whatever its schema says.
 * @param visitor the counted address of whoever has no session, null for the owner: it decides how much a body may be, how
 *   long it may take, and how many may be on their way at once
 * @returns undefined where there is none
 * @throws {CallRefused} 400, 408, 411 for a visitor's body of unknown length, 415 for another content type or charset, 422;
 *   what the parser throws: 413, and where the connection is gone
 */
export const readBody = async (
  ctx: Context,
  call: Pick<Call, 'consumes'>,
  visitor: string | null,
): Promise<unknown> => {
  if (call.consumes === undefined || call.consumes === 'multipart' || !hasBody(ctx.req)) return undefined
  const form = call.consumes === 'form'
  if (form ? !ctx.is('urlencoded') : !ctx.is('json', '+json')) {
    refuseType(form ? 'a form (application/x-www-form-urlencoded)' : 'JSON (application/json)')
  }
  const { charset } = ctx.request
  if (charset !== '' && !/^utf-?8$/i.test(charset)) {
    throw new CallRefused(415, 'Send the body in UTF-8: no other charset is understood here')
  }
  const sender = visitor === null ? 'owner' : 'visitor'
  // Every browser says it; in pieces of one byte a body is a thousand times as long to read.
  if (visitor !== null && ctx.req.headers['content-length'] === undefined)
    throw new CallRefused(411, 'Send the body with its Content-Length')
  const bytes = await (visitor === null
    ? taken(ctx, sender)
    : inPlace(ctx, visitor, () => taken(ctx, sender)))
  // A body of no bytes, sent in pieces, is none.
  return bytes.length === 0 ? undefined : parsed(bytes, form ? 'form' : 'json', sender)
}
