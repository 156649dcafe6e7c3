import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, assert, beforeAll, expect, it, onTestFailed, vi } from 'vitest'
import { systemClock } from '#infrastructure/clock.ts'
import type { ServerName } from '#infrastructure/cluster/testing/containers.ts'
import { type Door, doorTo } from '#infrastructure/cluster/testing/door.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { allProjections } from '#projections/all-projections.ts'
import { startProjector } from '#projections/runtime/projector.ts'
import { compared, differences, wholeLog } from './support/evidence.ts'
import { signIn, type Site, startSite } from './support/site.ts'
import { upload } from './support/upload.ts'

const webs = 4
const writers = 100
/** Each writer writes once a second at most: a hundred writes a second in all. */
const writeEveryMs = 1_000
const artworks = 40
/** How long a server is away, and then there again before the next goes, in ms. */
const awayMs = Number(process.env['FAULT_MS'] ?? 2_000)
/** Commands that kill a server and start it again, each given its name: with both, servers are killed as well. */
const killing = process.env['FAULT_KILL']
const starting = process.env['FAULT_START']
const order = async (command: string, name: string): Promise<void> => {
  await promisify(execFile)('sh', ['-c', `${command} "$1"`, 'sh', name])
}
/** A projector is away for longer than others wait for its views. */
const standsStillMs = 9_000
const patient = { timeout: 120_000, interval: 100 }
const silent = createLog('silent')

interface Tally {
  acknowledged: number
  later: number
  refused: number
  broken: number
  reads: number
  stale: number
  unanswered: number
  readonly wrong: string[]
}

/** Takes a server away, and brings it back. */
interface WayAway {
  readonly away: (name: ServerName, door: Door) => Promise<void>
  readonly back: (name: ServerName, door: Door) => Promise<void>
}

await describeOnServers('a site whose servers go away', ['eventstore', 'mongodb', 'redis'], (servers) => {
  const namespace = `faults-${process.pid}-${Date.now()}`
  const secret = 'a secret that every process of the test knows'
  const running = new Set<Site>()
  let folder: string
  let doors: readonly (readonly [ServerName, Door])[]
  let cookie = ''

  const start = async (roles: string, way = doors): Promise<Site> => {
    const [eventstore, mongodb, redis] = way.map(([, { url }]) => url)
    const site = await startSite({
      dataDir: folder,
      env: {
        ROLES: roles,
        NAMESPACE: namespace,
        SECRET: secret,
        TRUST_PROXY: '1',
        EVENTSTORE_URL: eventstore ?? '',
        MONGODB_URL: mongodb ?? '',
        REDIS_URL: redis ?? '',
      },
    })
    running.add(site)
    return site
  }
  const kill = async (site: Site | undefined): Promise<void> => {
    if (!site) throw new Error('There is no such process')
    const gone = once(site.process, 'exit')
    site.process.kill('SIGKILL')
    await gone
    running.delete(site)
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-faults-'))
    doors = await Promise.all(
      (['eventstore', 'mongodb', 'redis'] as const).map(
        async (name) => [name, await doorTo(servers[name].url)] as const,
      ),
    )
  })
  afterAll(async () => {
    await Promise.all([...running].map((site) => site.stop()))
    for (const [, door] of doors) await door.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('keeps every acknowledged write once, and read models equal to a fresh replay', {
    timeout: 600_000 + 60 * awayMs,
  }, async () => {
    onTestFailed(() => {
      const lines = [...running].flatMap((site) => site.output().split('\n'))
      // Errors of ours; that an engine is away is a warning.
      process.stderr.write(`${lines.filter((line) => /"level":[56]0/.test(line)).join('\n')}\n`)
    })
    // One that projects can be cut off alone: it has a way of its own to where the views are.
    const own = await doorTo(doors.find(([name]) => name === 'mongodb')?.[1].url ?? '')
    const apart = doors.map(([name, door]) => [name, name === 'mongodb' ? own : door] as const)
    const sites = await Promise.all([
      ...Array.from({ length: webs }, () => start('web')),
      start('worker'),
      start('projector', apart),
      start('projector'),
    ])
    const serving = sites.slice(0, webs)
    const webAt = (n: number): Site => {
      const site = serving[n % serving.length]
      if (!site) throw new Error('No web process is there')
      return site
    }
    cookie = await signIn(webAt(0))

    const image = await openAsBlob(join(import.meta.dirname, '../samples/yamuna.jpg'))
    const { imageUrl } = await upload(webAt(0), cookie, image)
    const headers = { cookie, 'content-type': 'application/json' }
    const tally: Tally = {
      acknowledged: 0,
      later: 0,
      refused: 0,
      broken: 0,
      reads: 0,
      stale: 0,
      unanswered: 0,
      wrong: [],
    }
    const numbers = new Map<string, number>()
    const messages = new Set<string>()
    let writing = true

    /** Sends until it is acknowledged, now by one process and now by another, always as the same command. */
    const send = async (
      writer: number,
      path: string,
      method: string,
      body: unknown,
    ): Promise<{ readonly shown: boolean; readonly id: string }> => {
      const key = randomUUID()
      for (let attempt = 0; ; attempt += 1) {
        const n = writer + attempt
        try {
          const answer = await fetch(webAt(n).url + path, {
            method,
            headers: { ...headers, 'idempotency-key': key, 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` },
            body: JSON.stringify(body),
            signal: AbortSignal.timeout(30_000),
          })
          const text = await answer.text()
          if (answer.status === 202) tally.later += 1
          if (answer.ok) {
            tally.acknowledged += 1
            const { id = '' } = JSON.parse(text) as { readonly id?: string } // every answer here is an object
            return { shown: answer.status !== 202, id }
          }
          if (answer.status === 503) tally.refused += 1
          else tally.wrong.push(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`)
        } catch {
          // The process was killed, or its answer took too long: nobody knows what became of it.
          tally.broken += 1
        }
        await pause(100 + Math.random() * 200)
      }
    }

    /** What one process acknowledged, another shows on the next request, or says that it is stale. */
    const seenElsewhere = async (writer: number, id: string, least: number): Promise<void> => {
      try {
        const answer = await fetch(`${webAt(writer + 1).url}/api/artworks`, {
          signal: AbortSignal.timeout(30_000),
        })
        const text = await answer.text()
        tally.reads += 1
        if (answer.headers.has('warning')) tally.stale += 1
        else if (answer.status === 503) tally.unanswered += 1
        else if (answer.status === 200) {
          // The contract of the call.
          const list = JSON.parse(text) as readonly { readonly id: string; readonly price: number }[]
          const shown = list.find((each) => each.id === id)?.price ?? -1
          if (shown < least) tally.wrong.push(`${id} shows ${shown} after ${least} was acknowledged`)
        } else tally.wrong.push(`GET /api/artworks: ${answer.status} ${text.slice(0, 200)}`)
      } catch {
        tally.unanswered += 1
      }
    }

    const ids: string[] = []
    for (let n = 0; n < artworks; n += 1)
      ids.push((await send(n, '/api/artworks', 'POST', { title: `Work ${n}`, price: 0, imageUrl })).id)

    const write = async (writer: number): Promise<void> => {
      await pause(Math.random() * writeEveryMs)
      for (let count = 1; writing; count += 1) {
        const started = performance.now()
        const id = ids[writer]
        if (id !== undefined) {
          const { shown } = await send(writer, `/api/artworks/${id}`, 'PUT', { price: count })
          numbers.set(id, count)
          if (shown && count % 3 === 0) await seenElsewhere(writer, id, count)
        } else if (count <= 2) {
          // All of them together stay well below what the site takes in an hour.
          const message = `Letter ${writer} ${count}`
          const body = { name: 'A', email: 'a@b.example', subject: 'general', message }
          await send(1_000 + writer * 7 + count * 1_000, '/api/contact', 'POST', body)
          messages.add(message)
        } else return
        await pause(Math.max(0, writeEveryMs - (performance.now() - started)))
      }
    }
    const all = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))

    const waysAway: readonly WayAway[] = [
      { away: (_, door) => door.shut(), back: (_, door) => door.open() },
      { away: async (_, door) => door.freeze(), back: async (_, door) => door.thaw() },
      ...(killing && starting
        ? [{ away: (name: string) => order(killing, name), back: (name: string) => order(starting, name) }]
        : []),
    ]
    // One at a time, then all three together.
    for (const gone of [...doors.map((door) => [door]), doors])
      for (const { away, back } of waysAway) {
        await Promise.all(gone.map(([name, door]) => away(name, door)))
        await pause(awayMs)
        await Promise.all(gone.map(([name, door]) => back(name, door)))
        await pause(awayMs)
      }
    // Two divide the views: one stands still, is cut off, and is killed in the end, and so is one of those that serve.
    sites[webs + 1]?.process.kill('SIGSTOP')
    await pause(standsStillMs)
    sites[webs + 1]?.process.kill('SIGCONT')
    await pause(standsStillMs)
    await own.shut()
    await pause(standsStillMs)
    await own.open()
    await pause(standsStillMs)
    await kill(sites[webs + 1])
    await kill(serving[1])
    serving[1] = await start('web')
    await kill(sites[webs + 2])
    await start('projector')
    writing = false
    await all

    for (const site of running)
      await vi.waitFor(async () => expect((await fetch(`${site.url}/readyz`)).status).toBe(200), patient)
    expect(tally.wrong).toEqual([])
    // What was acknowledged as shown later (202) may be on its way still, and an answer may be an older one.
    for (const site of serving)
      await vi.waitFor(async () => {
        const list = (await (await fetch(`${site.url}/api/artworks`)).json()) as readonly {
          readonly id: string
          readonly price: number
        }[] // the contract of the call
        for (const id of ids) expect(list.find((each) => each.id === id)?.price).toBe(numbers.get(id))
      }, patient)
    const arrived = await vi.waitFor(async () => {
      const list = (await (
        await fetch(`${webAt(0).url}/api/contact-messages`, { headers: { cookie } })
      ).json()) as readonly { readonly message: string }[] // the contract of the call
      expect(list.length).toBeGreaterThanOrEqual(messages.size)
      return list
    }, patient)
    await Promise.all([...running].map((site) => site.stop()))
    running.clear()
    await own.close()

    const engines = await openEngines(
      readConfig({
        DATA_DIR: folder,
        NAMESPACE: namespace,
        SECRET: secret,
        EVENTSTORE_URL: servers.eventstore.url,
        MONGODB_URL: servers.mongodb.url,
        REDIS_URL: servers.redis.url,
      }),
      systemClock,
      silent,
    )
    const scratch = await openEmbedded({
      dataDir: join(folder, 'replay'),
      secret: null,
      clock: systemClock,
      log: silent,
    })
    try {
      const log = await wholeLog(engines.eventStore)
      const pricesOf = (id: string): readonly unknown[] =>
        log
          .filter(({ stream, type }) => stream === `artwork-${id}` && type === 'ArtworkPriceChanged')
          .map(({ data }) => data['to'])
      const changes = ids.map((id) => {
        const wanted = Array.from({ length: numbers.get(id) ?? 0 }, (_, n) => String(n + 1))
        return compared(wanted, pricesOf(id).map(String))
      })
      const all = [
        ...changes,
        compared(
          [...messages],
          arrived.map(({ message }) => message),
        ),
      ]
      const { wrong, ...counts } = tally
      const lost = all.reduce((sum, each) => sum + each.lost, 0)
      const doubled = all.reduce((sum, each) => sum + each.doubled, 0)
      console.log(
        `fault run, servers away for ${awayMs} ms: ${JSON.stringify({ events: log.length, ...counts, wrong: wrong.length, lost, doubled })}`,
      )
      expect(new Set(log.map(({ id }) => id)).size).toBe(log.length)
      expect(arrived.map(({ message }) => message).toSorted()).toEqual([...messages].toSorted())
      for (const id of ids)
        expect(pricesOf(id)).toEqual(Array.from({ length: numbers.get(id) ?? 0 }, (__, n) => n + 1))
      // What a worker wrote while its projector had ended already is projected by the next one.
      for (const { documents } of [engines, scratch]) {
        const { eventStore } = engines
        const projector = startProjector({ eventStore, documents, projections: allProjections, log: silent })
        await projector.ready
        await projector.stop()
      }
      const found = await differences(engines.documents, scratch.documents)
      assert.isEmpty(found, found.slice(0, 5).join('\n'))
    } finally {
      await scratch.close()
      await engines.close()
    }
  })
})
