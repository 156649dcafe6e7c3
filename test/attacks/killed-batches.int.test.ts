import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { seeded } from '#infrastructure/testing/seeded.ts'
import { atelier } from '../support/atelier.ts'
import { wholeLog } from '../support/evidence.ts'
import { type Site, signIn } from '../support/site.ts'
import { upload } from '../support/upload.ts'
import { describeAttacks } from './under-attack.ts'

/*
 * Many artworks at once are one act wherever a process dies under it: sent again under its key it goes on where it
 * stopped and is one entry of the activity, and so is its undo.
 */

const artworks = 60
const random = seeded(Number(process.env['CRASH_SEED'] ?? 13))
/** The views of a killed projector are another's once its lease has run out. */
const patient = { timeout: 90_000, interval: 50 }
const image = join(import.meta.dirname, '../../samples/yamuna.jpg')

await describeAttacks('many artworks at once', (start) => {
  const running = new Map<string, Site>()
  let folder: string
  let settings: Readonly<Record<string, string>>
  /** What is killed, in turn; the first one answers. */
  let processes: readonly string[]
  let looking: Engines
  let cookie: string
  let imageUrl: string

  const begin = async (name: string): Promise<void> => {
    running.set(name, await start({ ...settings, ...(name === 'all' ? {} : { ROLES: name }) }))
  }
  const named = (name: string): Site => running.get(name) ?? expect.fail(`There is no ${name}`)
  const url = (): string => named(processes[0] ?? '').url

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-batches-'))
    const first = await start({ DATA_DIR: folder })
    await first.stop()
    settings = first.env
    processes = 'MONGODB_URL' in settings ? ['web', 'projector'] : ['all', 'all']
    for (const name of new Set(processes.toReversed())) await begin(name)
    const config = readConfig({ ...settings, DATA_DIR: folder })
    looking = await openEngines(config, systemClock, createLog('silent'), 'read')
    cookie = await signIn({ url: url() })
    ;({ imageUrl } = await upload({ url: url() }, cookie, await openAsBlob(image)))
  })
  afterAll(async () => {
    await looking?.close()
    for (const site of running.values()) await site.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const send = (method: string, path: string, body?: object, key: string = randomUUID()): Promise<Response> =>
    fetch(url() + path, {
      method,
      headers: { cookie, 'idempotency-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(url() + path, { headers: { cookie } })
    expect([answer.status, answer.headers.get('warning')]).toEqual([200, null])
    return answer.json()
  }
  // As the contracts of these calls have it.
  const shown = async () => (await get('/api/artworks')) as readonly { id: string; title: string }[]
  const entries = async () => ((await get('/api/activity')) as { items: readonly { id: string }[] }).items

  /** Sends it, and kills a process as soon as the log has so many events behind a place. */
  const killedAt = async (
    name: string,
    { from, events }: { readonly from: Position | null; readonly events: number },
    sending: () => Promise<Response>,
  ): Promise<void> => {
    let underWay: Promise<unknown> | null = null
    while ((await looking.eventStore.readAll(from, events)).length < events) {
      // A process that has just started may be too busy to take it: not yet.
      underWay ??= sending()
        .then((answer) => answer.text())
        .catch(() => undefined)
        .finally(() => (underWay = null))
      await pause(1)
    }
    const gone = once(named(name).process, 'exit')
    named(name).process.kill('SIGKILL')
    await gone
    await underWay
    await begin(name)
  }

  /** Kills each process under it at a seeded place, and sends it again until it is answered as done. */
  const doneAfterKills = async (sending: () => Promise<Response>): Promise<Response> => {
    const from = await looking.eventStore.head()
    for (const [n, name] of processes.entries()) {
      const events = Math.ceil((0.9 * artworks * (n + random())) / processes.length)
      await killedAt(name, { from, events }, sending)
    }
    return vi.waitFor(async () => {
      const answer = await sending()
      expect(answer.status).toBe(200)
      return answer
    }, patient)
  }

  it('are one entry, and one undo takes all of them back', { timeout: 600_000 }, async () => {
    const titles = Array.from({ length: artworks }, (_, n) => `Of many ${n}`)
    const body = { rows: titles.map((title) => ({ fields: { title, imageUrl } })) }
    const before = (await entries()).length
    const key = randomUUID()
    const added = await doneAfterKills(() => send('POST', '/api/artworks/batch', body, key))
    const { rows } = (await added.json()) as { rows: readonly { status: number }[] } // its contract
    expect(rows.map(({ status }) => status)).toEqual(titles.map(() => 201))
    expect((await shown()).map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
    const id = added.headers.get('x-activity') ?? ''
    await vi.waitFor(async () => {
      const found = await entries()
      expect([found.length - before, found[0]?.id]).toEqual([1, id])
    }, patient)

    const own = (await shown()).at(-1)?.id ?? ''
    await vi.waitFor(async () => {
      const changed = await send('PUT', `/api/artworks/${own}`, { title: 'Changed since' })
      expect(changed.status).toBe(200)
    }, patient)
    const undoKey = randomUUID()
    const undone = await doneAfterKills(() => send('POST', `/api/activity/${id}/undo`, undefined, undoKey))
    expect(await undone.json()).toEqual({
      skipped: [{ subjectId: own, sentence: expect.stringMatching(/^“Changed since” stays as it is: /) }],
    })
    expect((await shown()).map(({ title }) => title)).toEqual(['Changed since'])
    await vi.waitFor(async () => {
      const found = await entries()
      expect([found.length - before, found[2]?.id]).toEqual([3, id])
    }, patient)
    const types = (await wholeLog(looking.eventStore)).map(({ type }) => type)
    expect(types.filter((type) => type === 'ArtworkAdded')).toHaveLength(artworks)
    expect(types.filter((type) => type === 'ArtworkDeleted')).toHaveLength(artworks - 1)
    const verified = await atelier(folder, ['projections', 'verify', '--all'], '', settings)
    expect([verified.code, verified.errors]).toEqual([0, expect.any(String)])
  })
})
