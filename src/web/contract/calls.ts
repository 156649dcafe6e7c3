import type { z } from 'zod'
import { accountCalls } from './accounts.ts'
import { activityCalls } from './activity.ts'
import { artworkCalls } from './artworks.ts'
import type { Addresses, Call } from './call.ts'
import { changeCalls } from './changes.ts'
import { imageCalls } from './images.ts'
import { journalCalls } from './journal.ts'
import { messageCalls } from './messages.ts'
import { siteContentCalls } from './site-content.ts'
import { statusCalls } from './status.ts'
import { taxonomyCalls } from './taxonomy.ts'

/** Every call of the site by name: the source of the routes, of the drift test and of the OpenAPI document. */
export const calls = {
  ...accountCalls,
  ...siteContentCalls,
  ...artworkCalls,
  ...taxonomyCalls,
  ...journalCalls,
  ...messageCalls,
  ...imageCalls,
  ...activityCalls,
  ...changeCalls,
  ...statusCalls,
} satisfies Readonly<Record<keyof Addresses, Call>>

export type Calls = typeof calls
export type CallName = keyof Calls

type Part<N extends CallName, K extends string> = Calls[N] extends { readonly [P in K]: infer S } ? S : never
type Input<N extends CallName, K extends string> =
  Part<N, K> extends infer S extends z.ZodType ? z.input<S> : never

export type BodyInput<N extends CallName> = Input<N, 'body'>

type Given<K extends string, V> = [V] extends [never]
  ? { readonly [P in K]?: never }
  : { readonly [P in K]: V }

type SentBy = {
  readonly [N in CallName]: Given<'params', Input<N, 'params'>> &
    Given<'body', BodyInput<N>> & { readonly query?: Input<N, 'query'> }
}
/** What a caller sends with a call: what it asks for, and nothing else. */
export type Sent<N extends CallName> = SentBy[N]

/** The address of a call, by which it is sent. */
export type Address = Addresses[CallName]
type NameBy = { readonly [N in CallName as Addresses[N]]: N }
/** The call at an address. */
export type NameAt<A extends Address> = NameBy[A]

/** What a route gets as the body of a call, after parsing. */
export type Body<N extends CallName> = Part<N, 'body'> extends infer S extends z.ZodType ? z.output<S> : never

/** What a route gets as the query of a call, after parsing. */
export type Query<N extends CallName> =
  Part<N, 'query'> extends infer S extends z.ZodType ? z.output<S> : never

type Output<S> = S extends z.ZodType ? z.output<S> : null
type AnswerBy = {
  readonly [N in CallName]: Calls[N]['answers'] extends { readonly 200: infer S } | { readonly 201: infer S }
    ? Output<S>
    : null
}
/** The JSON that a call answers when it is done: of 200, else of 201; null where there is none. */
export type Answer<N extends CallName> = AnswerBy[N]

type CurrentBy = {
  readonly [N in CallName]: Calls[N]['answers'] extends { readonly 409: infer S }
    ? Output<S> extends { current?: infer E }
      ? E
      : null
    : null
}
/** The entity that a call is about, as a 409 tells it: for most what is answered, for a deletion what is still there. */
export type Current<N extends CallName> = CurrentBy[N]
