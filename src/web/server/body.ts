import { parse as parseForm } from 'node:querystring'
import type { Context } from 'koa'
import { HttpMethodEnum, koaBody } from 'koa-body'
import type { Call } from '#web/contract/call.ts'
import { limits } from '#web/contract/limits.ts'
import { CallRefused } from './errors.ts'

/** Takes in a body's bytes, unpacked, one character for each: what they say is decoded here, strictly. */
const takeBytes = koaBody({
  json: false,
  urlencoded: false,
  multipart: false,
  patchNode: false,
  parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.DELETE],
  text: true,
  textTypes: ['json', '+json', 'urlencoded'],
  textLimit: limits.jsonBytes,
  encoding: 'binary',
})

/** What would reach the prototype of an object is refused before any schema sees it (decisions 46). */
const prototypeKey = '__proto__'
const refuseForeign = (key: string, value: unknown): unknown => {
  if (key !== prototypeKey) return value
  const message = `"${prototypeKey}" is not a field of any call`
  throw new CallRefused(422, message, { fields: { [prototypeKey]: message } })
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
    return kind === 'form' ? { ...parseForm(text) } : JSON.parse(text, refuseForeign)
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

/**
 * Reads the body that a call takes, whatever its schema says (decisions 46, 59).
 * @returns undefined where there is none
 * @throws {CallRefused} 400, 415 for another content type or charset, 422; what the parser throws: 413
 */
export const readBody = async (ctx: Context, call: Pick<Call, 'consumes'>): Promise<unknown> => {
  if (call.consumes === undefined || call.consumes === 'multipart' || !hasBody(ctx)) return undefined
  const form = call.consumes === 'form'
  if (form ? !ctx.is('urlencoded') : !ctx.is('json', '+json')) {
    refuseType(form ? 'a form (application/x-www-form-urlencoded)' : 'JSON (application/json)')
  }
  const { charset } = ctx.request
  if (charset !== '' && !/^utf-?8$/i.test(charset)) {
    throw new CallRefused(415, 'Send the body in UTF-8: no other charset is understood here')
  }
  await takeBytes(ctx, async () => {})
  const taken: unknown = ctx.request.body
  // A body of no bytes, sent in pieces, is none.
  if (typeof taken !== 'string' || taken === '') return undefined
  return parsed(Buffer.from(taken, 'binary'), form ? 'form' : 'json')
}

/** So much of what nobody wants is still taken in, so that the sender gets to read why. */
const unwantedBytes = 64 * 1024 * 1024
const unwantedMs = 20_000

/**
 * Once the answer is out, takes in what is left of a body that was refused in the middle: a sender that is
 * still sending would otherwise find a broken connection in place of the answer. Bounded in bytes and time.
 */
export const discardRest = ({ req, res }: Pick<Context, 'req' | 'res'>): void => {
  res.once('finish', () => {
    if (req.complete || req.destroyed) return
    let left = unwantedBytes
    const giveUp = (): void => {
      req.destroy()
    }
    const timer = setTimeout(giveUp, unwantedMs)
    timer.unref()
    req.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) giveUp()
    })
    req.once('close', () => clearTimeout(timer))
    req.once('end', () => clearTimeout(timer))
    req.resume()
  })
}
