import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { atelier, type CliRun } from '../support/atelier.ts'
import { type Site, signIn } from '../support/site.ts'
import { describeAttacks } from './under-attack.ts'

/*
 * Read models that tell of more than the log has, as after the log was replaced by an older copy beside a running
 * site: nothing ends, nobody is told that something was deleted, and one command mends it while the site runs.
 */

/** Behind the end of any log, as each log writes its places. */
const embeddedPlace = '9999999999999999'
const serversPlace = '7fffffffffffffff-7fffffffffffffff'

/** Changes what is stored of the views, beside the running site. */
const spoil = async (site: Site, what: 'checkpoints' | 'documents'): Promise<void> => {
  const { MONGODB_URL: url, NAMESPACE: namespace } = site.env
  if (url === undefined) {
    const data = new DatabaseSync(join(site.dataDir, 'atelier.db'))
    data.exec('PRAGMA busy_timeout = 5000')
    const tables = data.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'view_categories%'").all()
    data.exec(
      what === 'checkpoints'
        ? `UPDATE view_checkpoints SET position = '${embeddedPlace}'`
        : `UPDATE "${String(tables[0]?.['name'])}" SET doc = json_set(doc, '$.position', '${embeddedPlace}')`,
    )
    data.close()
    return
  }
  const client = new MongoClient(url)
  try {
    type Place = { readonly _id: string; readonly collection: string; readonly position: string | null }
    const places = client.db().collection<Place>(`${namespace}.views`)
    if (what === 'checkpoints')
      await places.updateMany({ position: { $ne: null } }, { $set: { position: serversPlace } })
    const place = await places.findOne({ _id: { $regex: '^categories' } })
    if (what === 'documents')
      await client
        .db()
        .collection(`${namespace}.${place?.collection}`)
        .updateMany({ doc: { $ne: null } }, { $set: { at: serversPlace, 'doc.position': serversPlace } })
  } finally {
    await client.close()
  }
}

/** How many keys of messages and remembered calls are stored. */
const remembered = async (site: Site): Promise<number> => {
  const { MONGODB_URL: url, NAMESPACE: namespace } = site.env
  if (url === undefined) {
    const data = new DatabaseSync(join(site.dataDir, 'atelier.db'), { readOnly: true })
    const of = (table: string): number =>
      Number(data.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
    const count = of('vault_keys') + of('idempotency_keys')
    data.close()
    return count
  }
  const client = new MongoClient(url)
  try {
    const of = (name: string): Promise<number> =>
      client.db().collection(`${namespace}.${name}`).countDocuments()
    return (await of('keys')) + (await of('idempotency'))
  } finally {
    await client.close()
  }
}

const minutes = { timeout: 600_000 }

await describeAttacks('read models ahead of the log', (start) => {
  describe.each(['checkpoints', 'documents'] as const)('%s', (what) => {
    let site: Site
    let cookie: string
    let id: string
    beforeAll(async () => {
      site = await start({ LOG_LEVEL: 'info' })
      cookie = await signIn(site)
      const answer = await send('POST', '/api/categories', { name: 'Hills' })
      if (!answer.ok) throw new Error(`The category was answered ${answer.status}`)
      // A busy machine may answer before it is shown.
      id = await vi.waitFor(
        async () => (await categories()).find(({ name }) => name === 'Hills')?.id ?? expect.fail(),
        {
          timeout: 60_000,
        },
      )
    })
    afterAll(() => site?.stop())

    const send = (method: string, path: string, body: object): Promise<Response> =>
      fetch(site.url + path, {
        method,
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const run = (...args: readonly string[]): Promise<CliRun> => atelier(site.dataDir, args, '', site.env)
    const categories = async () =>
      // As the contract of the call has it.
      (await (await fetch(`${site.url}/api/categories`)).json()) as readonly { id: string; name: string }[]
    const names = async (): Promise<readonly string[]> => (await categories()).map(({ name }) => name)

    it('are told of in words, and mended beside the running site', minutes, async () => {
      await spoil(site, what)
      // The first write may come before anybody has noticed: it is in the log, and shown on servers alone, where documents
      // are written before the checkpoint's move finds out.
      const first = await send('PUT', `/api/categories/${id}`, { name: 'Mountains' })
      if (what === 'documents' && site.env['MONGODB_URL'] === undefined) {
        // It had the document in memory, and has written it anew.
        expect([first.status, await names()]).toEqual([200, ['Mountains']])
        expect((await run('projections', 'verify', '--all')).code).toBe(0)
        return
      }
      expect([202, 503]).toContain(first.status)
      expect(await first.text()).not.toContain('deleted')

      await vi.waitFor(
        async () => {
          const answer = await fetch(`${site.url}/readyz`)
          expect([answer.status, await answer.text()]).toEqual([
            503,
            expect.stringMatching(/where the log has never been.*projections rebuild --all/),
          ])
        },
        { timeout: 60_000, interval: 50 },
      )
      expect(site.output()).toContain('where the log has never been')
      const doctor = await run('doctor')
      expect([doctor.code, doctor.errors]).toEqual([1, expect.stringContaining('log has never been')])
      const verified = await run('projections', 'verify', '--all')
      expect([verified.code, verified.errors]).toEqual([
        1,
        expect.stringContaining(what === 'checkpoints' ? 'this log has never been' : 'position is'),
      ])
      const refused = await send('POST', '/api/categories', { name: 'Rivers' })
      expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('atelier doctor')])
      const before = await remembered(site)
      const message = await fetch(`${site.url}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `letter of ${what}` },
        body: JSON.stringify({ name: 'A', email: 'a@b.example', subject: 'general', message: 'Hello' }),
      })
      expect([message.status, await remembered(site)]).toEqual([503, before])
      const isShownFirst = what === 'checkpoints' && site.env['MONGODB_URL'] !== undefined
      expect(isShownFirst ? [['Hills'], ['Mountains']] : [['Hills']]).toContainEqual(await names())
      expect(site.process.exitCode).toBeNull()

      const rebuilt = await run('projections', 'rebuild', '--all')
      expect(rebuilt).toMatchObject({ code: 0 })
      await vi.waitFor(async () => expect((await fetch(`${site.url}/readyz`)).status).toBe(200), {
        timeout: 60_000,
        interval: 50,
      })
      const next = await send('POST', '/api/categories', { name: 'Seas' })
      // A busy machine may answer before it is shown.
      expect([201, 202]).toContain(next.status)
      const shown = first.status === 202 ? ['Mountains', 'Seas'] : ['Hills', 'Seas']
      await vi.waitFor(async () => expect(await names()).toEqual(shown), { timeout: 60_000 })
      expect((await run('projections', 'verify', '--all')).code).toBe(0)
      expect((await run('doctor')).errors).not.toContain('never been')
      expect(site.process.exitCode).toBeNull()
    })
  })
})
