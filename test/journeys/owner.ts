import { randomUUID } from 'node:crypto'
import type { BrowserContext } from '@playwright/test'
import { password, signIn, type Site } from '../support/site.ts'

/** Calls the site as its owner. Gives the JSON of the answer once what was done is shown; throws when it is no success. */
export type Owner = <Answer>(method: string, path: string, body?: object | FormData) => Promise<Answer>

/** Signs in at `site` and gives the way to act there. */
export async function ownerOf(site: Pick<Site, 'url'>): Promise<Owner> {
  const cookie = await signIn(site)
  return async (method, path, body) => {
    const isForm = body instanceof FormData
    const headers = {
      cookie,
      'idempotency-key': randomUUID(),
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    }
    // Within the time of a journey, so that the call is named which does not come to its end.
    const signal = AbortSignal.timeout(240_000)
    const send = () =>
      fetch(site.url + path, {
        method,
        headers,
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
        signal,
      })
    let answer = await send()
    // A busy machine may answer before it is shown; sent again under its key it is waited for anew.
    while (answer.status === 202) {
      await answer.body?.cancel()
      answer = await send()
    }
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    // The caller names what the interface promises for this call.
    return (answer.status === 204 ? undefined : await answer.json()) as never
  }
}

/** Gives the browser a session of its own, as the login dialog would. */
export async function signInBrowser(context: BrowserContext, site: Pick<Site, 'url'>): Promise<void> {
  const answer = await context.request.post(`${site.url}/api/login`, {
    data: { username: 'admin', password },
  })
  if (!answer.ok()) throw new Error(`Sign-in failed: ${answer.status()} ${await answer.text()}`)
}

/** Every session but that of `owner` ends on the server; a browser keeps its cookie and does not know. */
export async function endSessions(owner: Owner): Promise<void> {
  const sessions = await owner<{ id: string; current: boolean }[]>('GET', '/api/account/sessions')
  for (const { id, current } of sessions) if (!current) await owner('DELETE', `/api/account/sessions/${id}`)
}
