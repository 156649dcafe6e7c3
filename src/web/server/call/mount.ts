import type { Context } from 'koa'
import type Router from '@koa/router'
import { type Done, ForgottenCommand, refusedBy, StaleVersion } from '#application/kernel/execute.ts'
import type { CommandContext } from '#application/kernel/envelope.ts'
import { type Call, routerPath } from '#web/contract/call.ts'
import { type CallName, calls } from '#web/contract/calls.ts'
import { CallRefused, type ModuleErrors } from '../door/errors.ts'
import { exchangeOf } from '../door/exchange.ts'
import { sendJson, sendSmallJson } from '../door/json.ts'
import { fingerprintBy, idAfter } from './idempotency.ts'
import { sendReady } from './ready-bytes.ts'
import { type Incoming, nothingHere, receive, type ReceiveDeps } from './receive.ts'
import type { CommandRoute, ReadRoute, Route, Routes, SentFile } from './route.ts'
import type { SessionKeeper } from './session.ts'

interface CommandDeps {
  readonly modules: ModuleErrors
  /** why no command is taken at the moment; null: nothing hinders */
  readonly hindrance: () => Error | null
  readonly undo: {
    /** what is known of a command of the past; null when it wrote nothing */
    readonly find: (commandId: string) => Promise<{ readonly undoable: boolean; readonly at: string } | null>
    /** whether a command that wrote these types to so many streams can be undone */
    readonly isPossible: (types: readonly string[], streams: number) => boolean
  }
}

/** A command to be carried out. */
interface Ordered extends Pick<Incoming, 'received' | 'repeat'> {
  readonly call: Call
  readonly route: CommandRoute<CallName>
}

const doneStatus = (call: Call): number => [201, 204, 200].find((status) => status in call.answers) ?? 200

/** Nothing was written, and the sender may send it again corrected under the same key. */
const isRefusal = (error: unknown, modules: ModuleErrors): boolean =>
  refusedBy(error) !== null ||
  error instanceof StaleVersion ||
  error instanceof CallRefused ||
  modules.isRefusal(error)

/** Answers a command that was carried out, now (`done`) or before. */
const answerDone = async (
  { route, received }: Ordered,
  {
    status,
    id,
    position = null,
  }: { readonly status: number; readonly id: string; readonly position?: string | null },
  done: Done | null = null,
): Promise<void> => {
  const { ctx } = received
  if (status === 202) return sendSmallJson(ctx, 202, { id, position: position ?? '' })
  if (status === 204 || route.reply === undefined) {
    ctx.status = 204
    return
  }
  const entity = await route.reply(id, received, done)
  if (entity === null) throw new CallRefused(404, 'It was deleted meanwhile')
  await sendJson(ctx, status, entity, 'private')
}

/** 409 with the entity as it is now, which says more than a sentence. */
const answerClash = async (error: unknown, { route, received }: Ordered): Promise<void> => {
  const { params } = received
  const current = await (route.current !== undefined
    ? route.current(received)
    : 'id' in params && route.reply?.(String(params.id), received, null))
  if (!current || !(error instanceof Error)) throw error
  sendSmallJson(received.ctx, 409, { message: error.message, current })
}

/** Answers a command that its decider or its use case refused, or that failed. @throws what is left to the error answers */
const answerRefused = async (
  error: unknown,
  ordered: Ordered,
  wasBegun: boolean,
  deps: CommandDeps,
): Promise<void> => {
  const { call, route, received, repeat } = ordered
  const kind = refusedBy(error)?.kind
  if (wasBegun && doneStatus(call) === 204 && kind === 'missing') {
    // What was begun was finished in the background since then.
    await repeat.complete(204, null)
    received.ctx.status = 204
    return
  }
  // A message that may be there is known by its stream: no outage lets the keys of strangers fill the tables.
  if (call.access !== 'owner' || isRefusal(error, deps.modules)) await repeat.release()
  const clashes = error instanceof StaleVersion || kind === 'blocked'
  if (!clashes || route.reply === undefined) throw error
  await answerClash(error, ordered)
}

/** Says that the command can be taken back, and under which id. */
const tellUndoable = (ctx: Context, commandId: string): void => ctx.set('x-activity', commandId)

/** What an earlier request carried out, under the id by which it did, and says whether that can be taken back. */
const carriedOutBefore = async (
  ordered: Ordered,
  forgotten: string | null,
  { undo }: CommandDeps,
): Promise<Ordered> => {
  const { call, received } = ordered
  if (call.access !== 'owner') return ordered
  let { commandId } = received.command
  let past = await undo.find(commandId)
  while (past !== null && forgotten !== null && past.at <= forgotten) {
    commandId = idAfter(commandId)
    past = await undo.find(commandId)
  }
  if (past?.undoable) tellUndoable(received.ctx, commandId)
  return under(ordered, { commandId })
}

const under = (ordered: Ordered, command: Pick<CommandContext, 'commandId' | 'forgotten'>): Ordered => {
  const { received } = ordered
  return { ...ordered, received: { ...received, command: { ...received.command, ...command } } }
}

/**
 * Carries a command out under its id. If the log has that id from before the key was forgotten, it is another command's:
 * then this one takes the next id. Every repeat finds the same id in this way, also when its key is not remembered.
 */
const actOnce = async (
  ordered: Ordered,
  forgotten: string | null,
): Promise<{ readonly acted: Done; readonly ordered: Ordered }> => {
  const { call, route, received } = ordered
  // A message that was erased is not stored again, however late it is sent again (spec M-13).
  if (forgotten === null || call.access !== 'owner') return { acted: await route.act(received), ordered }
  for (let { commandId } = received.command; ; commandId = idAfter(commandId)) {
    const mine = under(ordered, { commandId, forgotten })
    try {
      return { acted: await route.act(mine.received), ordered: mine }
    } catch (error) {
      if (!(error instanceof ForgottenCommand)) throw error
    }
  }
}

/** Carries a command out, once under its key, and answers. */
const command = async (ordered: Ordered, deps: CommandDeps): Promise<void> => {
  const { call, route, received, repeat } = ordered
  if (route.drops?.(received) === true) return answerDone(ordered, { status: doneStatus(call), id: '' })
  const hindrance = deps.hindrance()
  if (hindrance !== null) throw hindrance
  const { earlier, forgotten } = await repeat.claim(
    // The version it was meant for belongs to what was sent, wherever it stood.
    received.file?.hash ?? [received.body, received.expectedVersion],
  )
  if (earlier !== null && earlier !== 'begun') {
    const before = await carriedOutBefore(ordered, forgotten, deps)
    return answerDone(before, { status: earlier.status, id: earlier.entityId ?? '' })
  }
  let once: Awaited<ReturnType<typeof actOnce>>
  try {
    once = await actOnce(ordered, forgotten)
  } catch (error) {
    return answerRefused(error, ordered, earlier === 'begun', deps)
  }
  const { acted } = once
  const { ctx, command: carriedOut } = once.ordered.received
  if (deps.undo.isPossible(acted.written ?? [], acted.streams ?? 1)) tellUndoable(ctx, carriedOut.commandId)
  const status = acted.visible || !(202 in call.answers) ? doneStatus(call) : 202
  // A key is kept for what was stored: whoever sends the same again, under ever new ones, leaves nothing.
  if (acted.isNew === false) await repeat.release()
  // Until it is shown a repeat is carried out again: it meets the command in its stream, and waits for it anew.
  else if (status !== 202) await repeat.complete(status, acted.id)
  return answerDone(once.ordered, { ...acted, status }, acted)
}

/** What the calls of any site are carried out with. */
export interface MountDeps extends CommandDeps, Pick<ReceiveDeps, 'clock' | 'idempotency' | 'settings'> {
  readonly secret: string
  /** Takes in the file of a multipart call, which is there while it is worked on. */
  readonly withUpload: (ctx: Context, work: (file: SentFile) => Promise<void>) => Promise<void>
}

const answerRead = async ({ read, ready }: ReadRoute<CallName>, { received }: Incoming): Promise<void> => {
  const { ctx, account } = received
  if (account === null && ready !== undefined) {
    return sendReady(ctx, (asked) => ready(asked, received))
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
  const { received, repeat, sent, problem, refuseEnded } = incoming
  const { ctx } = received
  if (problem !== null) {
    if ('answer' in route && route.invalid !== undefined) return route.invalid(ctx, sent, problem)
    throw new CallRefused(422, problem.message, problem)
  }
  if ('read' in route) return answerRead(route, incoming)
  if ('answer' in route) return route.answer(received)
  if (call.consumes !== 'multipart') return command({ call, route, received, repeat }, deps)
  return deps.withUpload(ctx, async (file) => {
    await refuseEnded()
    return command({ call, route, received: { ...received, file }, repeat }, deps)
  })
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
