import { z } from 'zod'
import type { EventModule } from '#domain/events.ts'
import * as addresses from './addresses.ts'
import { acceptedBody, conflictBody, errorBody } from './errors.ts'
import { limits } from './limits.ts'

const table = { ...addresses }
/** The name and address of every call. */
export type Addresses = typeof table
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The module whose routes answer the call. */
export type CallModule = EventModule | 'accounts' | 'activity' | 'changes' | 'status'

/** A schema of a JSON answer, or null for an answer that is not JSON or has no body. */
export type Answers = Readonly<Record<number, z.ZodType | null>>

/**
 * One call of the site.
 * - `path` writes its parameters as OpenAPI does: `/api/artworks/{id}`.
 * - `access` is the owner's, who has a session, else 401, unless it says `anyone`.
 * - `params` that do not parse name nothing: 404. `query` and `body` that do not parse: 422.
 * - `consumes` is what the body must be: `json` where there is a schema for it; `multipart` (one file in field
 *   `image`); `form` (urlencoded); else `none`: one that is sent all the same must be an empty JSON object. GET has none.
 * - `answers` are the statuses that belong to this call; those that belong to all calls of its kind are
 *   added by {@link answersOf}.
 * - `produces` is what a 200 is, JSON unless it says otherwise.
 */
export type Call = {
  readonly method: Method
  readonly path: `/${string}`
  readonly name: string
  readonly module: CallModule
  readonly summary: string
  readonly access: 'anyone' | 'owner'
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly answers: Answers
  readonly consumes?: 'json' | 'multipart' | 'form' | 'none'
  readonly produces?: 'json' | 'html' | 'csv' | 'event-stream'
}

type Declared = Omit<Call, 'name' | 'module' | 'method' | 'path' | 'access'> & { readonly access?: 'anyone' }

type Named<N extends keyof Addresses, M, T> = {
  readonly name: N
  readonly module: M
  readonly access: T extends { readonly access: 'anyone' } ? 'anyone' : 'owner'
} & (Addresses[N] extends `${infer V extends Method} ${infer P extends Call['path']}`
  ? { readonly method: V; readonly path: P }
  : never)

/** The calls of a module, each with its address, and with their literal types, so that the table knows every path, status and body. */
export const defineCalls = <
  const m extends CallModule,
  const t extends { readonly [N in keyof Addresses]?: Declared },
>(
  module: m,
  declared: t & Readonly<Record<Exclude<keyof t, keyof Addresses>, never>>,
) => {
  const complete = ([name, call]: [string, Declared]): [string, Call] => {
    // Each key is a name, and its address is a method and a path.
    const [method, path] = table[name as keyof Addresses].split(' ') as [Method, Call['path']]
    const consumes =
      method === 'GET' ? {} : ({ consumes: call.body === undefined ? 'none' : 'json' } as const)
    return [name, { access: 'owner', ...consumes, ...call, name, module, method, path }]
  }
  // Entry by entry what was told, with what its name and module say.
  return Object.fromEntries(Object.entries(declared).map(complete)) as {
    readonly [N in keyof t & keyof Addresses]: t[N] & Named<N, m, t[N]>
  }
}

/** The answers of a list: 304 when the caller's copy is the current one. */
export const listOf = <S extends z.ZodType>(entity: S) => ({ 200: z.array(entity), 304: null })

/** The answers of a change to one entity: the entity, or 409 with the entity as it is now. */
export const changed = <S extends z.ZodType>(entity: S) => ({
  200: entity,
  202: acceptedBody,
  404: errorBody,
  409: conflictBody(entity),
})

/** The answers of a call that makes an entity. */
export const created = <S extends z.ZodType>(entity: S) => ({
  201: entity,
  202: acceptedBody,
  409: errorBody,
})

/** The answers of a call that removes an entity, which the second time is no longer there. */
export const removed = <S extends z.ZodType>(entity: S) => ({
  204: null,
  202: acceptedBody,
  404: errorBody,
  409: conflictBody(entity),
})

/** Whether the call changes something: the headers for that are honoured, the cross-site rule holds. */
export const isMutation = (call: Call): boolean => call.method !== 'GET'

const everyErrorOf: Readonly<Record<string, readonly number[]>> = {
  every: [500, 503],
  owner: [401],
  mutation: [400, 403, 408, 413, 415, 422],
  query: [422],
}

/** Every status that a call may answer: its own, and those of all calls of its kind. */
export const answersOf = (call: Call): Answers => {
  const kinds = [
    'every',
    ...(call.access === 'owner' ? ['owner'] : []),
    ...(isMutation(call) ? ['mutation'] : []),
    ...(call.query === undefined ? [] : ['query']),
  ]
  const general = kinds
    .flatMap((kind) => everyErrorOf[kind] ?? [])
    .map((status) => [status, errorBody] as const)
  return { ...Object.fromEntries(general), ...call.answers }
}

/** The path as a router writes it: `/api/artworks/:id`. */
export const routerPath = (call: Call): string => call.path.replace(/\{(\w+)\}/g, ':$1')

export const idempotencyKey = z
  .string()
  .min(1, 'Idempotency-Key must not be empty')
  .max(limits.idempotencyKey, `Idempotency-Key must be at most ${limits.idempotencyKey} characters`)
  .regex(/^[\x20-\x7e]+$/, 'Idempotency-Key must be plain ASCII')

/** The header `If-Match: "<version>"`, as the version; `*` is any version: undefined. */
export const ifMatch = z
  .string()
  .trim()
  .regex(/^(?:\*|(?:W\/)?"\d{1,15}"|\d{1,15})$/, 'If-Match must be the version in quotes, such as "3"')
  .transform((value) => (value === '*' ? undefined : Number(value.replace(/\D/g, ''))))
