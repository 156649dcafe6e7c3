import type { Context } from 'koa'
import type Router from '@koa/router'
import { type Call, routerPath } from '#web/contract/call.ts'
import { type CallName, calls } from '#web/contract/calls.ts'
import { command, type CommandDeps } from './command.ts'
import { CallRefused } from '../door/errors.ts'
import { exchangeOf } from '../door/exchange.ts'
import { sendJson } from '../door/json.ts'
import { fingerprintBy } from './idempotency.ts'
import { sendPrepared } from './prepared.ts'
import { type Incoming, nothingHere, receive, type ReceiveDeps } from './receive.ts'
import type { ReadRoute, Route, Routes, SentFile } from './route.ts'
import type { SessionKeeper } from './session.ts'

/** What the calls of any site are carried out with. */
export interface MountDeps extends CommandDeps, Pick<ReceiveDeps, 'clock' | 'idempotency' | 'settings'> {
  readonly secret: string
  /** Takes in the file of a multipart call, which is there while it is worked on. */
  readonly withUpload: (ctx: Context, work: (file: SentFile) => Promise<void>) => Promise<void>
}

const answerRead = async ({ read, prepared }: ReadRoute<CallName>, { received }: Incoming): Promise<void> => {
  const { ctx, account } = received
  if (account === null && prepared !== undefined) {
    return sendPrepared(ctx, (asked) => prepared(asked, received))
  }
  const value = await read(received)
  if (value === null) throw nothingHere()
  await sendJson(ctx, 200, value, account === null ? 'shared' : 'private')
}

const answerCall = async (
  call: Call,
  route: Route<CallName>,
  incoming: Incoming,
  deps: MountDeps,
): Promise<void> => {
  const { received, repeat, sent, problem } = incoming
  const { ctx } = received
  if (problem !== null) {
    if ('answer' in route && route.invalid !== undefined) return route.invalid(ctx, sent, problem)
    throw new CallRefused(422, problem.message, problem)
  }
  if ('read' in route) return answerRead(route, incoming)
  if ('answer' in route) return route.answer(received)
  if (call.consumes !== 'multipart') return command({ call, route, received, repeat }, deps)
  return deps.withUpload(ctx, (file) =>
    command({ call, route, received: { ...received, file }, repeat }, deps),
  )
}

/** Puts the routes of the contract into a router, each behind all checks that its call asks for. */
export const mountCalls = (
  router: Router,
  routes: Routes<CallName>,
  deps: MountDeps,
  keeper: SessionKeeper,
): void => {
  const checking = { ...deps, keeper, fingerprint: fingerprintBy(deps.secret) }
  for (const [name, call] of Object.entries(calls) as [CallName, Call][]) {
    // Each name's route takes what that name's call gives; the table's type has checked the pair.
    const route = routes[name] as unknown as Route<CallName>
    const run = async (ctx: Context): Promise<void> => {
      exchangeOf(ctx.req).route = call.path
      await answerCall(call, route, await receive(ctx, call, checking), deps)
    }
    router.register(routerPath(call), [call.method], run, { name })
  }
}
