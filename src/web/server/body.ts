import type { Context } from 'koa'
import { HttpMethodEnum, koaBody } from 'koa-body'
import type { Call } from '#web/contract/call.ts'
import { limits } from '#web/contract/limits.ts'
import { CallRefused } from './errors.ts'

const nothing = { json: false, urlencoded: false, text: false, multipart: false, patchNode: false } as const
const parsedMethods = [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.DELETE]

const parseJson = koaBody({
  ...nothing,
  parsedMethods,
  json: true,
  jsonTypes: ['json', '+json'],
  // Texts, numbers and null are JSON too: the call's schema says what is wrong with them.
  jsonStrict: false,
  jsonLimit: limits.jsonBytes,
})

const parseForm = koaBody({
  ...nothing,
  parsedMethods,
  urlencoded: true,
  urlencodedTypes: ['urlencoded'],
  formLimit: limits.jsonBytes,
})

/** Whether the request says that it carries a body; an empty one is none. */
export const hasBody = (ctx: Context): boolean =>
  ctx.req.headers['transfer-encoding'] !== undefined || Number(ctx.req.headers['content-length'] ?? 0) > 0

const refuseType = (wanted: string): never => {
  throw new CallRefused(415, `This call takes ${wanted}: send it with the matching Content-Type`)
}

/**
 * Reads the body that a call takes, whatever its schema says (decisions 46, 59).
 * @returns undefined where there is none
 * @throws {CallRefused} 415 for another content type; what the parser throws: 400 for what is no JSON, 413
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
  await (form ? parseForm : parseJson)(ctx, async () => {})
  const body: unknown = ctx.request.body
  // A body of no bytes, sent in pieces, is none.
  return body === '' ? undefined : body
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
