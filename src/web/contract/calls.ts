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

/** What a caller sends as the body of a call. */
export type BodyInput<N extends CallName> =
  Part<N, 'body'> extends infer S extends z.ZodType ? z.input<S> : never

/** What a route gets as the body of a call, after parsing. */
export type Body<N extends CallName> = Part<N, 'body'> extends infer S extends z.ZodType ? z.output<S> : never

/** What a route gets as the query of a call, after parsing. */
export type Query<N extends CallName> =
  Part<N, 'query'> extends infer S extends z.ZodType ? z.output<S> : never

/** The JSON that a call answers when it is done: of 200, else of 201; null where there is none. */
export type Answer<N extends CallName> = Calls[N]['answers'] extends { readonly 200: infer S }
  ? S extends z.ZodType
    ? z.output<S>
    : null
  : Calls[N]['answers'] extends { readonly 201: infer S extends z.ZodType }
    ? z.output<S>
    : null
