import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = join(import.meta.dirname, '..', '..')
/** How long an answer is waited for, in ms: longer than any deadline of the site's, also on a machine that stands still for a while. */
const answerWithinMs = 90_000
/** How long the site may take to be itself again after a service came back, in ms; on such a machine too. */
export const recoverWithinMs = 180_000

/** Fails the run with a sentence unless `condition` holds. */
export const expectThat = (condition: boolean, otherwise: string): void => {
  if (!condition) throw new Error(otherwise)
}

/** Tries until it does not throw. @throws the last error when `withinMs` is over, and at once what does not pass */
export const eventually = async <T>(
  withinMs: number,
  attempt: () => Promise<T>,
  passes: (error: unknown) => boolean = () => true,
): Promise<T> => {
  const end = performance.now() + withinMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > end || !passes(error)) throw error
      await pause(200)
    }
  }
}

/** What the site says on a machine that is too busy: of its engines (where MongoDB stands still for two seconds, its connections are all taken), its pages, its images, its passwords. */
const busyWords =
  /503[^]*(does not answer|is asked by too many at once|(is busy|looking at the site|be worked on|logins) just now)/

/** Whether a request was refused since the machine has no time for it, in words that say to try again. */
export const isBusy = (error: unknown): boolean => busyWords.test(String(error))

/** Does it again while the machine has no time for it. */
const whenHeard = <T>(attempt: () => Promise<T>): Promise<T> => eventually(recoverWithinMs, attempt, isBusy)

/** What the story needs of a work. */
type Artwork = { readonly id: string; readonly slug: string; readonly title: string; readonly price: number }

/** A visitor and the owner, both over HTTP. */
export type Visit = {
  readonly page: (path: string) => Promise<{ readonly status: number; readonly text: string }>
  /** What a page says, once there is time for it. @throws where it is not answered well */
  readonly pageWhole: (path: string) => Promise<string>
  readonly signIn: () => Promise<void>
  readonly upload: (image: string) => Promise<string>
  /** @returns its id */
  readonly addArtwork: (title: string, imageUrl: string) => Promise<string>
  /** @returns the price that the answer shows; null for a 202: written, and shown in a moment */
  readonly setPrice: (id: string, price: number) => Promise<number | null>
  readonly artworks: () => Promise<readonly Artwork[]>
  readonly write: (message: { readonly name: string; readonly message: string }) => Promise<void>
  readonly messages: () => Promise<
    readonly { readonly id: string; readonly name: string; readonly message: string }[]
  >
  readonly erase: (id: string) => Promise<void>
}

/** @param url of the site, without a slash at its end */
export const visitSite = (url: string, password: string): Visit => {
  let cookie = ''

  /** As `fetch`; says what was asked for where nothing comes. */
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    try {
      return await fetch(url + path, { ...init, signal: AbortSignal.timeout(answerWithinMs) })
    } catch (error) {
      throw new Error(`${init.method ?? 'GET'} ${path}: no answer`, { cause: error })
    }
  }
  const callOnce = async (method: string, path: string, key: string, body?: unknown): Promise<Response> => {
    const form = body instanceof FormData
    const answer = await ask(path, {
      method,
      headers: {
        cookie,
        ...(method !== 'GET' && { 'idempotency-key': key }),
        ...(body !== undefined && !form && { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    })
    if (answer.ok) return answer
    throw new Error(`${method} ${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
  }
  /** Under one key: what a silent engine did all the same is not done twice. */
  const call = (method: string, path: string, body?: unknown): Promise<Response> => {
    const key = crypto.randomUUID()
    return whenHeard(() => callOnce(method, path, key, body))
  }
  // The answers are those of this repository's own contract; a field that is not there fails the run.
  const read = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    (await (await call(method, path, body)).json()) as T

  return {
    page: async (path) => {
      const answer = await ask(path)
      return { status: answer.status, text: await answer.text() }
    },
    pageWhole: (path) =>
      whenHeard(async () => {
        const answer = await ask(path)
        const text = await answer.text()
        expectThat(answer.status === 200, `${path}: ${answer.status} ${text.slice(0, 300)}`)
        return text
      }),
    signIn: async () => {
      cookie = ''
      const answer = await call('POST', '/api/login', { username: 'admin', password })
      cookie = answer.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ')
    },
    upload: async (image) => {
      const form = new FormData()
      form.set(
        'image',
        new Blob([await readFile(join(root, 'samples', image))], { type: 'image/jpeg' }),
        image,
      )
      return (await read<{ imageUrl: string }>('POST', '/api/upload/image', form)).imageUrl
    },
    addArtwork: async (title, imageUrl) => {
      const { id } = await read<{ id: string }>('POST', '/api/artworks', {
        title,
        imageUrl,
        description: 'Painted for the story of the containers',
        price: 1000,
        category: 'Landscape',
        medium: 'Oil',
        dimensions: '40 × 50 cm',
        yearCreated: 2024,
      })
      return id
    },
    setPrice: async (id, price) => {
      const answer = await call('PUT', `/api/artworks/${id}`, { price })
      return answer.status === 202 ? null : ((await answer.json()) as Artwork).price
    },
    artworks: () => read('GET', '/api/artworks'),
    write: async ({ name, message }) => {
      await call('POST', '/api/contact', { name, email: 'visitor@example.org', subject: 'general', message })
    },
    messages: () => read('GET', '/api/contact-messages'),
    erase: async (id) => {
      await call('DELETE', `/api/contact-messages/${id}`)
    },
  }
}
