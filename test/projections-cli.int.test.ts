import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { envelop } from '#application/kernel/envelope.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import { toArtwork, artworkAdded } from '#projections/testing/artworks.ts'
import { askRunningServer } from '../src/operator/command/control.ts'
import { type Site, startSite } from './support/site.ts'
import { goOn, standStill } from './support/stand-still.ts'

const cli = join(import.meta.dirname, '../src/cli.ts')
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const artworks = 50
const changesPerArtwork = 300
const events = artworks * (1 + changesPerArtwork)

const atelier = async (dataDir: string, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...process.env, DATA_DIR: dataDir } })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>, // as Node gives it
  ])
  return { output, errors, code }
}

/** A log long enough to be met in the middle of its replay. */
const fill = async (dataDir: string): Promise<void> => {
  const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: quiet })
  await Promise.all(
    Array.from({ length: artworks }, (_, n) => {
      const story = [
        artworkAdded(uuid(n), { price: 0 }),
        ...Array.from({ length: changesPerArtwork }, (__, from) =>
          toArtwork(uuid(n), { type: 'ArtworkPriceChanged', data: { from, to: from + 1 } }),
        ),
      ]
      const stream = story[0]?.stream ?? ''
      const context = {
        commandId: uuid(1_000 + n),
        correlationId: uuid(1_000 + n),
        causationId: uuid(1_000 + n),
        actor: { kind: 'system', name: 'test' },
        now: new Date(),
      } as const
      const all = envelop(
        story.map(({ event }) => event),
        stream,
        context,
      )
      return engines.eventStore.append(stream, 'no-stream', all)
    }),
  )
  await engines.close()
}

/** Changes a price in what is served, without an event. */
const spoil = async (dataDir: string): Promise<void> => {
  const { documents, close } = await openEmbedded({
    dataDir,
    secret: null,
    clock: systemClock,
    log: quiet,
  })
  const { view } = artworksProjection
  const [at = null] = await documents.checkpoints([view])
  const [artwork] = await documents.find(view, { where: { id: uuid(7) } })
  if (artwork === undefined || at === null) throw new Error('Nothing is served yet')
  await documents.write([{ view, put: [{ ...artwork, price: 1 }], remove: [], from: at, to: at }])
  await close()
}

describe('atelier projections', () => {
  let site: Site
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'atelier-projections-'))
    await fill(dataDir)
    site = await startSite({ dataDir })
  })
  afterAll(async () => {
    await site.stop()
    await rm(dataDir, { recursive: true })
  })

  it('tells how each view stands, beside a running server', async () => {
    const { output, code } = await atelier(dataDir, 'projections', 'status', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      ok: true,
      data: {
        events: 0,
        seconds: 0,
        parked: 0,
        views: expect.arrayContaining([
          expect.objectContaining({ view: 'artworks', version: artworksProjection.view.version }),
        ]) as unknown,
      },
    })
  })

  it('goes on with a rebuild after the server was killed in the middle', async () => {
    const order = { operation: 'projections rebuild', args: {} }
    const heard: { readonly done: number; readonly unit: string }[] = []
    const builds = "view LIKE '%~rebuild'"
    standStill(
      dataDir,
      'UPDATE ON view_checkpoints',
      `NEW.${builds} AND CAST(NEW.position AS INTEGER) > ${events / 2}`,
    )
    const killed = askRunningServer(dataDir, order, {
      signal: new AbortController().signal,
      progress: ({ done, unit }) => heard.push({ done, unit }),
    })
    // Heard of below, once the server is gone.
    killed.catch(() => undefined)
    const beside = new DatabaseSync(join(dataDir, 'atelier.db'), { readOnly: true })
    const stored = beside.prepare(
      `SELECT max(CAST(position AS INTEGER)) AS n FROM view_checkpoints WHERE ${builds}`,
    )
    await expect.poll(() => Number(stored.get()?.['n'])).toBeGreaterThan(events / 4)
    beside.close()
    site.process.kill('SIGKILL')
    await site.stop()
    goOn(dataDir)
    await expect(killed).rejects.toThrow('The server stopped before the command was done')
    const shares = heard.map(({ unit }) =>
      Number(/^events, (\d+) % of the way$/.exec(unit)?.[1] ?? Number.NaN),
    )
    expect(heard.every(({ done }) => done > 0 && done <= events * 1.1)).toBe(true)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    // What was told last before it stood still, which on a busy machine is some way back.
    expect(shares.at(-1)).toBeGreaterThan(0)
    expect(shares.at(-1)).toBeLessThanOrEqual(100)
    site = await startSite({ dataDir })
    const { output, code } = await atelier(dataDir, 'projections', 'rebuild', '--all', '--json')
    expect(code).toBe(0)
    const { data } = JSON.parse(output) as { data: { events: number; switched: boolean } }
    expect(data.switched).toBe(true)
    expect(data.events).toBeLessThanOrEqual(events - events / 4)
    expect((await atelier(dataDir, 'projections', 'verify')).code).toBe(0)
  })

  it('reads without failing and right while everything is rebuilt', async () => {
    let going = true
    let reads = 0
    const problems: string[] = []
    const readers = ['/', '/api/artworks', `/api/artworks/${uuid(3)}`].map(async (path) => {
      while (going) {
        const answer = await fetch(site.url + path)
        const body = await answer.text()
        reads += 1
        if (!answer.ok) problems.push(`${path}: ${answer.status}`)
        else if (!body.includes(uuid(3))) problems.push(`${path} lacks the work`)
        else if (path !== '/' && !body.includes(`"price":${changesPerArtwork}`))
          problems.push(`${path}: another price`)
        await pause(5)
      }
    })
    const rebuilt = await atelier(dataDir, 'projections', 'rebuild')
    going = false
    await Promise.all(readers)
    expect(rebuilt.code).toBe(0)
    expect(problems).toEqual([])
    expect(reads).toBeGreaterThan(20)
  })

  it('ends a rebuild when whoever asked for it has gone', async () => {
    const leaving = new AbortController()
    const order = { operation: 'projections rebuild', args: { fresh: 'true' } }
    const left = askRunningServer(dataDir, order, {
      signal: leaving.signal,
      progress: () => leaving.abort(new Error('Gone')),
    })
    await expect(left).rejects.toThrow('Gone')
    const again = () =>
      askRunningServer(
        dataDir,
        { operation: 'projections verify', args: { views: 'categories' } },
        { signal: new AbortController().signal, progress: () => undefined },
      )
    await expect.poll(again).toMatchObject({ ok: true })
  })

  it('finds and mends a document that was changed by hand, without a server too', async () => {
    await site.stop()
    await spoil(dataDir)
    const found = await atelier(dataDir, 'projections', 'verify', 'artworks')
    expect([found.code, found.errors]).toEqual([
      1,
      expect.stringContaining(`artworks ${uuid(7)}: price is 1, by the log ${changesPerArtwork}`),
    ])
    expect(await atelier(dataDir, 'projections', 'rebuild', 'artworks')).toMatchObject({ code: 0 })
    expect((await atelier(dataDir, 'projections', 'verify')).code).toBe(0)
  })

  it('ends cleanly on Ctrl-C and tells the server so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-stub-'))
    const asked = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const server = createServer((_request, answer) => {
      answer.writeHead(200).flushHeaders()
      answer.once('close', left.resolve)
      asked.resolve()
    }).listen(join(folder, 'control.sock'))
    const child = spawn(process.execPath, [cli, 'projections', 'rebuild'], {
      env: { ...process.env, DATA_DIR: folder },
    })
    const errors = text(child.stderr)
    const exited = once(child, 'exit')
    await asked.promise
    child.kill('SIGINT')
    expect(await exited).toEqual([1, null])
    await left.promise
    expect(await errors).toMatch(/^Stopped\. The server that runs here was told of it/)
    server.close()
    await rm(folder, { recursive: true })
  })

  it('has nothing done by a server on the folder when the settings name the three servers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-stub-'))
    const answered = Promise.withResolvers<string>()
    const server = createServer((_request, answer) => {
      answered.resolve('the server on the folder')
      answer.end()
    }).listen(join(folder, 'control.sock'))
    const child = spawn(process.execPath, [cli, 'samples', 'remove'], {
      env: {
        ...process.env,
        DATA_DIR: folder,
        SECRET: 'a secret of thirty-two characters',
        EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
        MONGODB_URL: 'mongodb://127.0.0.1:1/atelier',
        REDIS_URL: 'redis://127.0.0.1:1',
      },
    })
    child.stderr.on('data', (said: Buffer) => answered.resolve(said.toString()))
    expect(await answered.promise).toContain('MongoDB does not answer')
    child.kill('SIGKILL')
    server.close()
    await rm(folder, { recursive: true })
  })

  it('refuses a view that is not there, and wrong usage', async () => {
    const unknown = await atelier(dataDir, 'projections', 'verify', 'sculptures')
    expect([unknown.code, unknown.errors]).toEqual([2, expect.stringMatching(/'sculptures' .* artworks, /)])
    expect((await atelier(dataDir, 'projections', 'destroy')).code).toBe(2)
    expect((await atelier(dataDir, 'projections', 'rebuild', '--help')).output).toContain('--fresh')
  })
})
