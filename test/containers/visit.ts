import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = join(import.meta.dirname, '..', '..')

/** Fails the run with a sentence unless `condition` holds. */
export const expectThat = (condition: boolean, otherwise: string): void => {
  if (!condition) throw new Error(otherwise)
}

/** Tries until it does not throw. @throws the last error when `withinMs` is over */
export const eventually = async <T>(withinMs: number, attempt: () => Promise<T>): Promise<T> => {
  const end = performance.now() + withinMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > end) throw error
      await pause(200)
    }
  }
}

/** What the story needs of a work's answer. */
type Artwork = { readonly id: string; readonly slug: string; readonly title: string; readonly price: number }

/** A visitor and the owner, both over HTTP. */
export type Visit = {
  readonly page: (path: string) => Promise<{ readonly status: number; readonly text: string }>
  readonly signIn: () => Promise<void>
  readonly upload: (image: string) => Promise<string>
  readonly addArtwork: (title: string, imageUrl: string) => Promise<Artwork>
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

  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const form = body instanceof FormData
    const answer = await fetch(url + path, {
      method,
      headers: { cookie, ...(body === undefined || form ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    if (answer.ok) return answer
    throw new Error(`${method} ${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
  }
  // The answers are those of this repository's own contract; a field that is not there fails the run.
  const read = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    (await (await call(method, path, body)).json()) as T

  return {
    page: async (path) => {
      const answer = await fetch(url + path, { signal: AbortSignal.timeout(20_000) })
      return { status: answer.status, text: await answer.text() }
    },
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
    addArtwork: (title, imageUrl) =>
      read('POST', '/api/artworks', {
        title,
        imageUrl,
        description: 'Painted for the story of the containers',
        price: 1000,
        category: 'Landscape',
        medium: 'Oil',
        dimensions: '40 × 50 cm',
        yearCreated: 2024,
      }),
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
