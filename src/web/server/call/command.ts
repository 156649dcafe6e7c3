import type { Context } from 'koa'
import type { Done } from '#application/kernel/dispatch.ts'
import { StaleVersion } from '#application/kernel/execute.ts'
import { refusedBy } from '#application/kernel/refused.ts'
import type { Call } from '#web/contract/call.ts'
import type { CallName } from '#web/contract/calls.ts'
import { CallRefused, type ModuleErrors } from '../door/errors.ts'
import { sendJson, sendSmallJson } from '../door/json.ts'
import type { Repeat } from './idempotency.ts'
import type { AnyReceived } from './receive.ts'
import type { CommandRoute } from './route.ts'

export interface CommandDeps {
  readonly modules: ModuleErrors
  /** why no command is taken at the moment; null: nothing hinders */
  readonly hindrance: () => Error | null
  readonly undo: {
    /** what is known of a command of the past; null when it wrote nothing */
    readonly find: (commandId: string) => Promise<{ readonly undoable: boolean } | null>
    /** whether a command that wrote these types to so many streams can be undone */
    readonly isPossible: (types: readonly string[], streams: number) => boolean
  }
}

/** A command to be carried out. */
interface Ordered {
  readonly call: Call
  readonly route: CommandRoute<CallName>
  readonly received: AnyReceived
  readonly repeat: Repeat
}

const doneStatus = (call: Call): number => [201, 204, 200].find((status) => status in call.answers) ?? 200

/** Nothing was written, and the sender may send it again corrected under the same key. */
const isRefusal = (error: unknown, modules: ModuleErrors): boolean =>
  refusedBy(error) !== null ||
  error instanceof StaleVersion ||
  error instanceof CallRefused ||
  modules.isRefusal(error)

/** Answers a command that was carried out, now or before. */
const answerDone = async (
  { route, received }: Ordered,
  {
    status,
    id,
    position = null,
  }: { readonly status: number; readonly id: string; readonly position?: string | null },
): Promise<void> => {
  const { ctx } = received
  if (status === 202) return sendSmallJson(ctx, 202, { id, position: position ?? '' })
  if (status === 204 || route.show === undefined) {
    ctx.status = 204
    return
  }
  const entity = await route.show(id, received)
  if (entity === null) throw new CallRefused(404, 'It was deleted meanwhile')
  await sendJson(ctx, status, entity, 'private')
}

/** 409 with the entity as it is now, which says more than a sentence. */
const answerClash = async (error: unknown, { route, received }: Ordered): Promise<void> => {
  const { params } = received
  const current = await (route.current !== undefined
    ? route.current(received)
    : 'id' in params && route.show?.(String(params.id), received))
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
  if (isRefusal(error, deps.modules)) await repeat.release()
  const clashes = error instanceof StaleVersion || kind === 'blocked'
  if (!clashes || route.show === undefined) throw error
  await answerClash(error, ordered)
}

/** Says that the command can be taken back, and under which id. */
const tellUndoable = (ctx: Context, commandId: string): void => ctx.set('x-activity', commandId)

/** Carries a command out, once under its key, and answers. */
export const command = async (ordered: Ordered, deps: CommandDeps): Promise<void> => {
  const { call, route, received, repeat } = ordered
  const { ctx } = received
  const { commandId } = received.command
  if (route.drops?.(received) === true) return answerDone(ordered, { status: doneStatus(call), id: '' })
  const hindrance = deps.hindrance()
  if (hindrance !== null) throw hindrance
  const earlier = await repeat.claim(
    // The version it was meant for belongs to what was sent, wherever it stood.
    received.file?.hash ?? [received.body, received.expectedVersion],
  )
  if (earlier !== null && earlier !== 'begun') {
    if (call.access === 'owner' && (await deps.undo.find(commandId))?.undoable) tellUndoable(ctx, commandId)
    return answerDone(ordered, { status: earlier.status, id: earlier.entityId ?? '' })
  }
  let acted: Done
  try {
    acted = await route.act(received)
  } catch (error) {
    return answerRefused(error, ordered, earlier === 'begun', deps)
  }
  if (deps.undo.isPossible(acted.written ?? [], acted.streams ?? 1)) tellUndoable(ctx, commandId)
  const status = acted.visible || !(202 in call.answers) ? doneStatus(call) : 202
  // Until it is shown a repeat is carried out again: it meets the command in its stream, and waits for it anew.
  if (status !== 202) await repeat.complete(status, acted.id)
  return answerDone(ordered, { ...acted, status })
}
