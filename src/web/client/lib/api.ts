import type { Address, Answer, NameAt, Sent } from '#web/contract/calls.ts'

/**
 * The one way to call the server. Cookies go along with every call; a refused call throws an error whose
 * message is "status: body text". The page's program fetches this with its first question: the document brought what
 * most visitors see.
 */

/** The address of a call that only reads. */
export type Reading = Extract<Address, `GET ${string}`>
/** The address of a call that changes something. */
export type Command = Exclude<Address, Reading>
/** What a call at this address is sent. */
export type SentTo<A extends Address> = Sent<NameAt<A>>
/** What a call at this address answers when it is done. */
export type AnswerOf<A extends Address> = Answer<NameAt<A>>

/** The method of an address, and its path with what is sent in it. */
export function requestOf<A extends Address>(
  address: A,
  sent: Pick<SentTo<A>, 'params' | 'query'>,
): { method: string; path: string } {
  // Texts by name, as all params and queries of the contract.
  const { params, query } = sent as { params?: Record<string, string>; query?: Record<string, string> }
  const [method = '', path = ''] = address.split(' ')
  const asked = String(new URLSearchParams(query))
  return {
    method,
    path:
      path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? '')) +
      (asked && `?${asked}`),
  }
}

type CallOptions = {
  /** sent twice with the same key, a mutation acts once */
  idempotencyKey?: string
  signal?: AbortSignal
  /** refused with 401 when nobody is signed in, where a visitor would get what visitors may see */
  asOwner?: boolean
}

/** A call that the server refused. `message` is the status, a colon, a blank and the body's text. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** the body as sent; empty when there was none */
  readonly text: string

  constructor(status: number, statusText: string, text: string) {
    super(`${status}: ${text || statusText}`)
    this.status = status
    this.text = text
  }

  /** The server's sentence for the person, or null when the body holds none. */
  get serverMessage(): string | null {
    const body = this.body
    return typeof body['message'] === 'string' ? body['message'] : null
  }

  /** Messages by field path of a 422; empty for every other answer. */
  get fields(): Record<string, string> {
    const fields = this.body['fields']
    if (typeof fields !== 'object' || fields === null) return {}
    return Object.fromEntries(
      Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  }

  /** What it says beside its words; empty where it is no JSON of ours. */
  get body(): Record<string, unknown> {
    try {
      const body: unknown = JSON.parse(this.text)
      return typeof body === 'object' && body !== null ? { ...body } : {}
    } catch {
      // Not JSON (a proxy's page, plain text): there is no sentence of ours in it.
      return {}
    }
  }
}

const EMPTY = 204

export type Answered<Answer> = {
  status: number
  /** the answer's JSON; null when the answer is empty (204) */
  answer: Answer
  /** the act, where it can be taken back (`POST /api/activity/{id}/undo`) */
  activity: string | null
}

/**
 * Sends the call of this address (`web/contract/addresses.ts`). Throws `ApiError` for every answer that is no success,
 * and the browser's TypeError when the network fails.
 */
export async function ask<A extends Address>(
  address: A,
  sent: SentTo<A> & CallOptions,
): Promise<Answered<AnswerOf<A>>> {
  const { body, idempotencyKey, asOwner, signal }: CallOptions & { body?: unknown } = sent
  const { method, path } = requestOf(address, sent)
  const response = await fetch(path, {
    method,
    credentials: 'include',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(asOwner ? { 'x-session': 'required' } : {}),
    },
    // Nothing in JSON is nothing.
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, response.statusText, text)
  // The server's routes are held to these types; checking again here would ship zod to visitors. An empty answer is ours
  // as 204 alone: any other comes from what stands between, and nobody knows what was done.
  const answer = (response.status === EMPTY ? null : JSON.parse(text)) as AnswerOf<A>
  return { status: response.status, answer, activity: response.headers.get('x-activity') }
}

/** The same for whoever does not mind which success it is. */
export async function call<A extends Address>(
  address: A,
  sent: SentTo<A> & CallOptions,
): Promise<AnswerOf<A>> {
  return (await ask(address, sent)).answer
}
