import type { Context } from 'koa'
import type { Clock } from '#application/kernel/ports/clock.ts'
import type { IdempotencyKeys } from '#application/kernel/ports/idempotency.ts'
import { type Call, ifMatch, isMutation } from '#web/contract/call.ts'
import type { CallName } from '#web/contract/calls.ts'
import { type ErrorBody, validationError } from '#web/contract/errors.ts'
import { readBody } from './body.ts'
import { clientAddress, countedAddress } from '../door/client-address.ts'
import { hasBody } from '../door/discard-rest.ts'
import { demandsSession } from '../door/headers.ts'
import type { WebSettings } from '../door/ports.ts'
import { CallRefused, SignedOut, statusWords } from '../door/errors.ts'
import { exchangeOf } from '../door/exchange.ts'
import { type Fingerprint, type Repeat, repeatOf } from './idempotency.ts'
import { queryIn } from './query.ts'
import type { Received } from './route.ts'
import type { SessionKeeper } from './session.ts'

/** A call of any name; what it was checked against stands in its contract. */
type AnyReceived = Received<CallName>

/** What names nothing, or what is not there. */
export const nothingHere = (): CallRefused => new CallRefused(404, statusWords[404])

const paramsOf = (call: Call, ctx: Context): unknown => {
  if (call.params === undefined) return {}
  const result = call.params.safeParse({ ...ctx['params'] })
  // A value that can be no id names nothing.
  if (!result.success) throw nothingHere()
  return result.data
}

/** Keys of the query; a key sent twice is a list, which a schema of one value refuses. */
const queryOf = (call: Call, ctx: Context): unknown => {
  // A page that leads on must not answer a browser tab with JSON.
  if (call.produces === 'html') return queryIn(ctx)
  const result = call.query?.safeParse(queryIn(ctx))
  if (result?.error === undefined) return result?.data
  const { message, fields } = validationError(result.error)
  throw new CallRefused(422, message, { fields })
}

const hasVersion = (body: unknown): body is { expectedVersion: number } =>
  typeof body === 'object' && body !== null && 'expectedVersion' in body

/** The version the sender has seen, from the body or from `If-Match`; two different ones are a mistake. */
const versionOf = (ctx: Context, body: unknown): number | null => {
  const inBody = hasVersion(body) ? body.expectedVersion : null
  const header = ctx.req.headers['if-match']
  if (header === undefined) return inBody
  const result = ifMatch.safeParse(header)
  if (!result.success) {
    const message = result.error.issues[0]?.message ?? 'If-Match is not understood'
    throw new CallRefused(422, message, { fields: { 'If-Match': message } })
  }
  const inHeader = result.data ?? null
  if (inBody !== null && inHeader !== null && inBody !== inHeader) {
    const message = 'If-Match and expectedVersion name different versions'
    throw new CallRefused(422, message, { fields: { 'If-Match': message } })
  }
  return inBody ?? inHeader
}

const withoutVersion = (body: unknown): unknown => {
  if (!hasVersion(body)) return body
  const { expectedVersion: _checkedApart, ...rest } = body
  return rest
}

const refuseBody = (call: Call, sent: unknown): void => {
  const isEmpty =
    sent === undefined ||
    (typeof sent === 'object' && sent !== null && !Array.isArray(sent) && Object.keys(sent).length === 0)
  if (call.consumes === 'none' && !isEmpty) throw new CallRefused(422, 'This call takes no body')
}

const refuseCrossSite = (ctx: Context, settings: WebSettings): void => {
  const { headers } = ctx.req
  const forwarded = settings.trustProxy > 0 ? headers['x-forwarded-host'] : undefined
  const from = {
    origin: headers.origin,
    fetchSite: headers['sec-fetch-site'] as string | undefined, // node gives it once, as text
    host: headers.host,
    forwardedHost: typeof forwarded === 'string' ? forwarded : undefined,
  }
  if (isCrossSite(from, settings)) {
    throw new CallRefused(403, 'This was sent from another site and is refused')
  }
}

/**
 * What refuses a body of the owner's that was still on its way when her session was looked at, and has come behind its end:
 * she may take half an hour to send one, and whoever took her session prepare some for then.
 */
const refusingEnded = (ctx: Context, keeper: SessionKeeper): (() => Promise<void>) => {
  if (!hasBody(ctx.req) || ctx.req.complete) return async () => undefined
  const accountNow = keeper.accountLater(ctx)
  return async () => {
    if ((await accountNow()) === null) throw new SignedOut()
  }
}

/** A call as it came in. */
export interface Incoming {
  readonly received: AnyReceived
  readonly repeat: Repeat
  /** the body as it came */
  readonly sent: unknown
  /** what is wrong with the body; null: nothing */
  readonly problem: ErrorBody | null
  /** To be asked once a file has come, which is read later. @throws {SignedOut} where the session has ended meanwhile */
  readonly refuseEnded: () => Promise<void>
}

/** What calls are checked with. */
export interface ReceiveDeps {
  readonly clock: Clock
  readonly idempotency: IdempotencyKeys
  readonly settings: WebSettings
  readonly keeper: SessionKeeper
  readonly fingerprint: Fingerprint
}

/** Checks all that the contract asks of a call, in the order in which it is refused. */
export const receive = async (ctx: Context, call: Call, deps: ReceiveDeps): Promise<Incoming> => {
  const { settings, clock, keeper } = deps
  const account = await keeper.account(ctx)
  if (account === null && (call.access === 'owner' || demandsSession(ctx.req.headers))) {
    // Whose session has ended is a visitor again, and gets the cached pages.
    if (call.name === 'getUser' && keeper.hasCookie(ctx)) keeper.signOut(ctx)
    throw new SignedOut()
  }
  const refuseEnded = account === null ? async () => undefined : refusingEnded(ctx, keeper)
  if (isMutation(call)) refuseCrossSite(ctx, settings)
  const params = paramsOf(call, ctx)
  const query = queryOf(call, ctx)
  const address = clientAddress(ctx.req, settings.trustProxy)
  const sent = await readBody(ctx, call, account === null ? countedAddress(address) : null)
  // A file has not come yet: whoever takes it in asks then.
  if (call.consumes !== 'multipart') await refuseEnded()
  if (call.body === undefined) refuseBody(call, sent)
  const checked = call.body?.safeParse(sent)
  const problem = checked?.error === undefined ? null : validationError(checked.error)
  const body = checked?.data
  const expectedVersion = isMutation(call) ? versionOf(ctx, body) : null
  const { id, correlationId, path } = exchangeOf(ctx.req)
  const key = isMutation(call) ? ctx.req.headers['idempotency-key'] : undefined
  const repeat = repeatOf(
    {
      sender: account?.id ?? address,
      method: call.method,
      path,
      key: typeof key === 'string' ? key : undefined,
      carried: [body, expectedVersion],
    },
    deps,
  )
  const received = {
    ctx,
    params,
    query,
    account,
    expectedVersion,
    file: null,
    body: withoutVersion(body),
    requestId: id,
    command: {
      commandId: repeat.commandId,
      correlationId,
      causationId: id,
      actor: account === null ? { kind: 'visitor' } : { kind: 'owner', accountId: account.id },
      now: clock.now(),
    },
  } as const
  // Parsed by the schemas that the types are made of.
  return { received: received as unknown as AnyReceived, repeat, sent, problem, refuseEnded }
}

/** What a request says about where it comes from; header values as they arrived. */
export interface Provenance {
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly host: string | undefined
  /** `X-Forwarded-Host`, undefined unless a proxy in front is trusted */
  readonly forwardedHost: string | undefined
}

/** Host and port as a browser writes them: lower case, without the scheme's own port. */
const hostIn = (scheme: string, host: string | undefined): string | null => {
  if (host === undefined || !URL.canParse(`${scheme}//${host}`)) return null
  const url = new URL(`${scheme}//${host}`)
  // A host with a path or a user in it is no host.
  return url.pathname === '/' && url.username === '' && url.search === '' && url.hash === '' ? url.host : null
}

/**
 * Whether another site's page made the browser send this. A sender without `Origin` is no browser, or one that proves
 * by `Sec-Fetch-Site` that the page is of this site.
 * @param site.publicUrl the site's own address
 * @param site.publicUrlIsSet somebody has said so: then a page under that name that came by another scheme is foreign,
 *   for whoever is in between can write one
 */
export const isCrossSite = (
  from: Provenance,
  site: { readonly publicUrl: string; readonly publicUrlIsSet: boolean },
): boolean => {
  if (from.fetchSite === 'cross-site') return true
  if (from.origin === undefined) return false
  if (!URL.canParse(from.origin)) return true
  const origin = new URL(from.origin)
  if (origin.protocol !== 'http:' && origin.protocol !== 'https:') return true
  const known = new URL(site.publicUrl)
  if (site.publicUrlIsSet && origin.hostname === known.hostname && origin.protocol !== known.protocol) {
    return true
  }
  const own = [
    hostIn(origin.protocol, from.host),
    hostIn(origin.protocol, from.forwardedHost?.split(',')[0]?.trim()),
    known.host,
  ]
  return !own.includes(origin.host)
}
