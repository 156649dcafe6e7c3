import { within } from '#application/kernel/within.ts'
import { parse as parseForm } from 'node:querystring'
import type { Context } from 'koa'
import { HttpMethodEnum, koaBody } from 'koa-body'
import type { Call } from '#web/contract/call.ts'
import { limits } from '#web/contract/limits.ts'
import { CallRefused } from '../door/errors.ts'

/** Takes in a body's bytes, unpacked, one character for each: what they say is decoded here, strictly. */
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
  visitor: { takeBytes: bytesTaker(limits.visitorBytes), withinMs: limits.visitorBodyMs },
  owner: { takeBytes: bytesTaker(limits.jsonBytes), withinMs: limits.ownerBodyMs },
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

/** @throws {CallRefused} 400 for bytes that are no UTF-8, which would else be replaced in silence, and for no JSON */
const parsed = (bytes: Buffer, kind: 'form' | 'json'): unknown => {
  try {
    const text = utf8.decode(bytes)
    return kind === 'form' ? { ...parseForm(text) } : refuseForeign(JSON.parse(text))
  } catch (error) {
    throw error instanceof CallRefused ? error : unreadable(kind)
  }
}

/** Whether the request says that it carries a body; an empty one is none. */
export const hasBody = (ctx: Context): boolean =>
  ctx.req.headers['transfer-encoding'] !== undefined || Number(ctx.req.headers['content-length'] ?? 0) > 0

const refuseType = (wanted: string): never => {
  throw new CallRefused(415, `This call takes ${wanted}: send it with the matching Content-Type`)
}

/** In which forms a body is understood: as it is, or packed in one of these ways. */
const packings: readonly string[] = ['gzip', 'deflate', 'br']

/**
 * How the body is packed, null for one that is not.
 * @throws {CallRefused} 415 for a way that nobody here can undo
 */
const packingOf = ({ req }: Context, understood: readonly string[]): string | null => {
  const named = req.headers['content-encoding'] ?? ''
  const packing = named.trim().toLowerCase()
  if (packing === '' || packing === 'identity') return null
  if (understood.includes(packing)) return packing
  throw new CallRefused(
    415,
    `Send the body without Content-Encoding: “${named.slice(0, 40)}” is not understood here`,
  )
}

/** @throws {CallRefused} 415 for a packed body, of a call whose bodies are never unpacked */
export const refuseCompressed = (ctx: Context): void => void packingOf(ctx, [])

/** The body's bytes, as {@link takeBytes} leaves them. @throws {CallRefused} 400 for what cannot be unpacked, 415 */
const taken = async (ctx: Context, sender: BodySender): Promise<unknown> => {
  const { takeBytes, withinMs } = manners[sender]
  const packing = packingOf(ctx, packings)
  // Whoever unpacks it knows these names in small letters only.
  ctx.req.headers['content-encoding'] = packing ?? 'identity'
  try {
    await inTime(
      takeBytes(ctx, async () => {}),
      withinMs,
    )
  } catch (error) {
    // The reader's own errors say by a status what they are; one without comes from unpacking.
    if (packing === null || (error instanceof Error && 'status' in error)) throw error
    throw new CallRefused(
      400,
      `The body cannot be unpacked: it is not what Content-Encoding says (${packing})`,
    )
  }
  return ctx.request.body
}

/**
 * Reads the body that a call takes, whatever its schema says.
 * @param sender whether a session is known decides how much a body may be, and how long it may take
 * @returns undefined where there is none
 * @throws {CallRefused} 400, 408, 415 for another content type or charset, 422; what the parser throws: 413
 */
export const readBody = async (
  ctx: Context,
  call: Pick<Call, 'consumes'>,
  sender: BodySender,
): Promise<unknown> => {
  if (call.consumes === undefined || call.consumes === 'multipart' || !hasBody(ctx)) return undefined
  const form = call.consumes === 'form'
  if (form ? !ctx.is('urlencoded') : !ctx.is('json', '+json')) {
    refuseType(form ? 'a form (application/x-www-form-urlencoded)' : 'JSON (application/json)')
  }
  const { charset } = ctx.request
  if (charset !== '' && !/^utf-?8$/i.test(charset)) {
    throw new CallRefused(415, 'Send the body in UTF-8: no other charset is understood here')
  }
  const bytes = await taken(ctx, sender)
  // A body of no bytes, sent in pieces, is none.
  if (typeof bytes !== 'string' || bytes === '') return undefined
  return parsed(Buffer.from(bytes, 'binary'), form ? 'form' : 'json')
}
