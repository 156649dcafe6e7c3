/**
 * The one way to call the server. Cookies go along with every call; a refused call throws an error whose
 * message is "status: body text".
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type CallOptions = {
  /** sent as JSON; a `FormData` is sent as it is */
  body?: unknown
  /** sent twice with the same key, a mutation acts once */
  idempotencyKey?: string
  signal?: AbortSignal
  /** refused with 401 when nobody is signed in, where a visitor would get what visitors may see */
  asOwner?: boolean
}

/** A call that the server refused. `message` is the status, a colon, a blank and the body's text. */
export class ApiError extends Error {
  readonly status: number
  /** the body as sent; empty when there was none */
  readonly text: string

  constructor(status: number, statusText: string, text: string) {
    super(`${status}: ${text || statusText}`)
    this.name = 'ApiError'
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

  private get body(): Record<string, unknown> {
    try {
      const body: unknown = JSON.parse(this.text)
      return typeof body === 'object' && body !== null ? { ...body } : {}
    } catch {
      // Not JSON (a proxy's page, plain text): there is no sentence of ours in it.
      return {}
    }
  }
}

/** Whether a failed call means "signed out": status 401 or the word itself. */
export function isUnauthorized(error: unknown): boolean {
  return (
    error instanceof Error && (error.message.startsWith('401: ') || error.message.includes('Unauthorized'))
  )
}

export type Answered<Answer> = {
  status: number
  /** the answer's JSON; undefined when the answer is empty (204) */
  answer: Answer
  /** the act, where it can be taken back (`POST /api/activity/{id}/undo`) */
  activity: string | null
}

/**
 * Calls `path`. The caller names the contract's type of that call. Throws `ApiError` for every answer that is no
 * success, and the browser's TypeError when the network fails.
 */
export async function ask<Answer>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<Answered<Answer>> {
  const { body, idempotencyKey, signal, asOwner = false } = options
  const isForm = body instanceof FormData
  const response = await fetch(path, {
    method,
    credentials: 'include',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(asOwner ? { 'x-session': 'required' } : {}),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, response.statusText, text)
  // The server's contract tests hold answers to these types; checking again here would ship zod to visitors.
  const answer = (text === '' ? undefined : JSON.parse(text)) as Answer
  return { status: response.status, answer, activity: response.headers.get('x-activity') }
}

/** The same for whoever does not mind which success it is. */
export async function call<Answer>(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
  return (await ask<Answer>(method, path, options)).answer
}
