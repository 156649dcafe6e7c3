import type { Context } from 'koa'
import type Router from '@koa/router'
import { StaleVersion } from '#application/kernel/execute.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import type { IdempotencyKeys } from '#application/kernel/ports/idempotency.ts'
import { refusedBy } from '#application/kernel/refused.ts'
import { type Call, ifMatch, isMutation, routerPath } from '#web/contract/call.ts'
import { type CallName, calls } from '#web/contract/calls.ts'
import { type ErrorBody, validationError } from '#web/contract/errors.ts'
import { readBody } from './body.ts'
import { clientAddress } from '../door/client-address.ts'
import { isCrossSite } from './cross-site.ts'
import { demandsSession, type WebSettings } from '../door/deps.ts'
import { CallRefused, type ModuleErrors, SignedOut } from '../door/errors.ts'
import { exchangeOf } from '../door/exchange.ts'
import { fingerprintKey, type Repeat, repeatOf } from './idempotency.ts'
import { sendJson, sendSmallJson } from '../door/json.ts'
import type { Acted, CommandRoute, Received, Route, Routes, SentFile } from './route.ts'
import type { SessionKeeper } from './session.ts'

/** A call of any name; what it was checked against stands in its contract. */
type AnyReceived = Received<CallName>

const nothingHere = 'There is no such thing here'

const paramsOf = (call: Call, ctx: Context): unknown => {
  if (call.params === undefined) return {}
  const result = call.params.safeParse({ ...ctx['params'] })
  // A value that can be no id names nothing.
  if (!result.success) throw new CallRefused(404, nothingHere)
  return result.data
}

/** Keys of the query; a key sent twice is a list, which a schema of one value refuses. */
const queryOf = (call: Call, ctx: Context): unknown => {
  // A page that leads on must not answer a browser tab with JSON.
  if (call.produces === 'html') return { ...ctx.query }
  const result = call.query?.safeParse({ ...ctx.query })
  if (result?.error === undefined) return result?.data
  const { message, fields } = validationError(result.error)
  throw new CallRefused(422, message, { fields })
}

const hasVersion = (body: unknown): body is { expectedVersion: number } =>
  typeof body === 'object' && body !== null && 'expectedVersion' in body

/** The version the sender has seen, from the body or from `If-Match`; two different ones are a mistake (19). */
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

/** Nothing was written, and the sender may send it again corrected under the same key. */
const isRefusal = (error: unknown, modules: ModuleErrors): boolean =>
  refusedBy(error) !== null ||
  error instanceof StaleVersion ||
  error instanceof CallRefused ||
  modules.isRefusal(error)

const withoutVersion = (body: unknown): unknown => {
  if (!hasVersion(body)) return body
  const { expectedVersion: _checkedApart, ...rest } = body
  return rest
}

const doneStatus = (call: Call): number => [201, 204, 200].find((status) => status in call.answers) ?? 200

/** What the calls of any site are carried out with. */
export interface MountDeps {
  readonly clock: Clock
  readonly idempotency: IdempotencyKeys
  readonly secret: string
  readonly settings: WebSettings
  readonly modules: ModuleErrors
  /** why no command is taken at the moment; null: nothing hinders */
  readonly hindrance: () => Error | null
  /** Takes in the file of a multipart call, which is there while it is worked on. */
  readonly withUpload: (ctx: Context, work: (file: SentFile) => Promise<void>) => Promise<void>
  readonly undo: {
    /** what is known of a command of the past; null when it wrote nothing */
    readonly find: (commandId: string) => Promise<{ readonly undoable: boolean } | null>
    /** whether a command that wrote these types to so many streams can be undone */
    readonly isPossible: (types: readonly string[], streams: number) => boolean
  }
}

/** Puts the routes of the contract into a router, each behind all checks that its call asks for. */
export const mountCalls = (
  router: Router,
  routes: Routes<CallName>,
  deps: MountDeps,
  keeper: SessionKeeper,
): void => {
  const { settings, idempotency, clock } = deps
  const bodyKey = fingerprintKey(deps.secret)

  const refuseCrossSite = (ctx: Context): void => {
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

  const receive = async (
    ctx: Context,
    call: Call,
  ): Promise<{
    readonly received: AnyReceived
    readonly repeat: Repeat
    /** the body as it came */
    readonly sent: unknown
    /** what is wrong with the body; null: nothing */
    readonly problem: ErrorBody | null
  }> => {
    const account = await keeper.account(ctx)
    if (account === null && (call.access === 'owner' || demandsSession(ctx.req.headers))) {
      // Whose session has ended is a visitor again, and gets the cached pages.
      if (call.name === 'getUser' && keeper.hasCookie(ctx)) keeper.signOut(ctx)
      throw new SignedOut()
    }
    if (isMutation(call)) refuseCrossSite(ctx)
    const params = paramsOf(call, ctx)
    const query = queryOf(call, ctx)
    const sent = await readBody(ctx, call, account === null ? 'visitor' : 'owner')
    if (call.body === undefined) refuseBody(call, sent)
    const checked = call.body?.safeParse(sent)
    const problem = checked?.error === undefined ? null : validationError(checked.error)
    const body = checked?.data
    const expectedVersion = isMutation(call) ? versionOf(ctx, body) : null
    const address = clientAddress(ctx.req, settings.trustProxy)
    const { id, path } = exchangeOf(ctx.req)
    const key = isMutation(call) ? ctx.req.headers['idempotency-key'] : undefined
    const repeat = repeatOf(
      {
        sender: account?.id ?? address,
        method: call.method,
        path,
        key: typeof key === 'string' ? key : undefined,
      },
      { idempotency, clock, fingerprintKey: bodyKey },
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
        correlationId: id,
        causationId: id,
        actor: account === null ? { kind: 'visitor' } : { kind: 'owner', accountId: account.id },
        now: clock.now(),
      },
    } as const
    // Parsed by the schemas that the types are made of.
    return { received: received as unknown as AnyReceived, repeat, sent, problem }
  }

  const answerActed = async (
    ctx: Context,
    call: Call,
    route: CommandRoute<CallName>,
    received: AnyReceived,
    acted: { readonly status: number; readonly id: string; readonly position: string | null },
  ): Promise<void> => {
    const { status, id, position } = acted
    if (status === 202) return sendSmallJson(ctx, 202, { id, position: position ?? '' })
    if (status === 204 || route.show === undefined) {
      ctx.status = 204
      return
    }
    const entity = await route.show(id, received)
    if (entity === null) throw new CallRefused(404, 'It was deleted meanwhile')
    await sendJson(ctx, status, entity, 'private')
  }

  const command = async (
    ctx: Context,
    call: Call,
    route: CommandRoute<CallName>,
    received: AnyReceived,
    repeat: Repeat,
  ): Promise<void> => {
    if (route.drops?.(received) === true) {
      await answerActed(ctx, call, route, received, { status: doneStatus(call), id: '', position: null })
      return
    }
    const hindrance = deps.hindrance()
    if (hindrance !== null) throw hindrance
    const earlier = await repeat.claim(
      // The version it was meant for belongs to what was sent, wherever it stood.
      received.file?.hash ?? [received.body, received.expectedVersion],
    )
    if (earlier !== null && earlier !== 'begun') {
      const { status, entityId } = earlier
      const { commandId } = received.command
      if (call.access === 'owner' && (await deps.undo.find(commandId))?.undoable)
        ctx.set('x-activity', commandId)
      await answerActed(ctx, call, route, received, { status, id: entityId ?? '', position: null })
      return
    }
    let acted: Acted
    try {
      acted = await route.act(received)
    } catch (error) {
      if (earlier === 'begun' && doneStatus(call) === 204 && refusedBy(error)?.kind === 'missing') {
        // What was begun was finished in the background since then.
        await repeat.complete(204, null)
        ctx.status = 204
        return
      }
      if (isRefusal(error, deps.modules)) await repeat.release()
      const clashes = error instanceof StaleVersion || refusedBy(error)?.kind === 'blocked'
      if (!clashes || route.show === undefined) throw error
      await answerClash(ctx, error, route, received)
      return
    }
    if (deps.undo.isPossible(acted.written ?? [], acted.streams ?? 1))
      ctx.set('x-activity', received.command.commandId)
    const status = acted.visible || !(202 in call.answers) ? doneStatus(call) : 202
    // Until it is shown a repeat is carried out again: it meets the command in its stream, and waits for it anew.
    if (status !== 202) await repeat.complete(status, acted.id)
    await answerActed(ctx, call, route, received, { ...acted, status })
  }

  /** 409 with the entity as it is now, which says more than a sentence. */
  const answerClash = async (
    ctx: Context,
    error: unknown,
    route: CommandRoute<CallName>,
    received: AnyReceived,
  ): Promise<void> => {
    const { params } = received
    const current = await (route.current !== undefined
      ? route.current(received)
      : 'id' in params && route.show?.(String(params.id), received))
    if (!current || !(error instanceof Error)) throw error
    sendSmallJson(ctx, 409, { message: error.message, current })
  }

  const run = async (ctx: Context, call: Call, route: Route<CallName>): Promise<void> => {
    exchangeOf(ctx.req).route = call.path
    const { received, repeat, sent, problem } = await receive(ctx, call)
    if (problem !== null) {
      if (!('answer' in route) || route.invalid === undefined)
        throw new CallRefused(422, problem.message, problem)
      await route.invalid(ctx, sent, problem)
    } else if ('read' in route) {
      const value = await route.read(received)
      if (value === null) throw new CallRefused(404, nothingHere)
      await sendJson(ctx, 200, value, received.account === null ? 'shared' : 'private')
    } else if ('act' in route && call.consumes === 'multipart') {
      await deps.withUpload(ctx, (file) => command(ctx, call, route, { ...received, file }, repeat))
    } else if ('act' in route) await command(ctx, call, route, received, repeat)
    else await route.answer(received)
  }

  for (const [name, call] of Object.entries(calls) as [CallName, Call][]) {
    const route = routes[name]
    // Each name's route takes what that name's call gives; the table's type has checked the pair.
    const any = route as unknown as Route<CallName>
    router.register(routerPath(call), [call.method], (ctx) => run(ctx, call, any), { name })
  }
}

const refuseBody = (call: Call, sent: unknown): void => {
  const isEmpty =
    sent === undefined ||
    (typeof sent === 'object' && sent !== null && !Array.isArray(sent) && Object.keys(sent).length === 0)
  if (call.consumes === 'none' && !isEmpty) throw new CallRefused(422, 'This call takes no body')
}
