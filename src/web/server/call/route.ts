import type { Context } from 'koa'
import type { z } from 'zod'
import type { Done } from '#application/kernel/execute.ts'
import type { CommandContext } from '#application/kernel/envelope.ts'
import type { Account } from '#application/kernel/ports/accounts.ts'
import type { CallModule } from '#web/contract/call.ts'
import type { Answer, Body, CallName, Calls, Current, Query } from '#web/contract/calls.ts'
import type { ErrorBody } from '#web/contract/errors.ts'
import type { PageAsked, PageAnswer } from '../door/cached-page.ts'

type Params<N extends CallName> = Calls[N] extends { readonly params: infer S extends z.ZodType }
  ? z.output<S>
  : Readonly<Record<string, never>>

/** The owner of an owner's call is known; anybody may send the others. */
type Sender<N extends CallName> = Calls[N]['access'] extends 'owner' ? Account : Account | null

/** An image that was sent along; the file is there while the call is worked on. */
export interface SentFile {
  readonly path: string
  /** sha-256 of its bytes, in hexadecimal digits */
  readonly hash: string
}

/** A call that has passed all checks that its contract asks for. */
export interface Received<N extends CallName> {
  readonly ctx: Context
  readonly params: Params<N>
  readonly query: Query<N>
  /** without `expectedVersion` */
  readonly body: Omit<Body<N>, 'expectedVersion'>
  /** the file of a multipart call; null for every other one */
  readonly file: SentFile | null
  /** from the body or `If-Match`; null: whatever it is */
  readonly expectedVersion: number | null
  readonly account: Sender<N>
  readonly requestId: string
  /** who sends which command, for the use case; the same for a repeat under one `Idempotency-Key` */
  readonly command: CommandContext
}

/** What is read is not changed by whoever shows it. */
type Constant<T> = T extends object ? { readonly [K in keyof T]: Constant<T[K]> } : T

export type Read<N extends CallName> = Constant<Answer<N>>

/** What a command replies: its answer, or the entity where it answers nothing. */
type Reply<N extends CallName> = Constant<Answer<N> extends null ? Current<N> : Answer<N>>

/** Answers 200 with JSON, 404 for null. */
export interface ReadRoute<N extends CallName> {
  readonly read: (call: Received<N>) => Promise<Read<N> | null>
  /** What visitors get instead: ready bytes, the same for all of them. */
  readonly ready?: (asked: PageAsked, call: Received<N>) => PageAnswer | Promise<PageAnswer>
}

/**
 * Carries out a command, then answers with what `reply` reads once the read models have it; with the status
 * that the contract gives a call that is done.
 */
export interface CommandRoute<N extends CallName> {
  /** What is only answered as if it were done. It leaves no trace, an `Idempotency-Key` neither. */
  readonly drops?: (call: Received<N>) => boolean
  readonly act: (call: Received<N>) => Promise<Done>
  /**
   * The entity as it is now, null when it is not there; a call that answers 204 needs it for its 409 only. A method, so
   * that it may ask for more of what its own `act` gave ({@link actThenReply}).
   * @param done what `act` gave; null where the command was refused, or carried out by an earlier request
   */
  reply?(id: string, call: Received<N>, done: Done | null): Promise<Reply<N> | null>
  /** The entity that a refused call was about, for a 409; default: what `reply` gives for `params.id`. */
  readonly current?: (call: Received<N>) => Promise<Constant<Current<N>> | null>
}

/** A command whose answer is made of what came of it as well: `reply` is given what `act` gave. */
export const actThenReply = <N extends CallName, D extends Done>(
  act: (call: Received<N>) => Promise<D>,
  reply: (id: string, call: Received<N>, done: D | null) => Promise<Reply<N> | null>,
): Required<Pick<CommandRoute<N>, 'act' | 'reply'>> => ({ act, reply })

/** Answers by itself. */
interface OwnRoute<N extends CallName> {
  readonly answer: (call: Received<N>) => Promise<void>
  /** Answers a body that its schema refuses, where the usual 422 is not the answer. @param sent the body as it came */
  readonly invalid?: (ctx: Context, sent: unknown, problem: ErrorBody) => Promise<void>
}

export type Route<N extends CallName> = ReadRoute<N> | CommandRoute<N> | OwnRoute<N>

export type Routes<N extends CallName> = { readonly [Name in N]: Route<Name> }

export type ModuleRoutes<M extends CallModule> = Routes<
  { [N in CallName]: Calls[N]['module'] extends M ? N : never }[CallName]
>
