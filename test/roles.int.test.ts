import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed, vi } from 'vitest'
import { type Door, doorTo } from '#infrastructure/cluster/testing/door.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { allProjections } from '#projections/all-projections.ts'
import { atelier } from './support/atelier.ts'
import { signIn, type Site, startSite } from './support/site.ts'
import { upload, uploadOnce } from './support/upload.ts'

const patient = { timeout: 120_000, interval: 50 }
const minutes = { timeout: 600_000 }

interface Artwork {
  readonly id: string
  readonly title: string
  readonly price: number
  readonly image: { readonly ready: boolean } | null
}

interface Answer {
  readonly status: number
  readonly warning: string | null
  readonly text: string
}

const ask = async (
  site: Site,
  path: string,
  options: {
    readonly method?: string
    readonly cookie?: string
    readonly body?: unknown
    readonly key?: string | undefined
  } = {},
): Promise<Answer> => {
  const { method = 'GET', cookie, body, key } = options
  const answer = await fetch(site.url + path, {
    method,
    headers: {
      ...(cookie === undefined ? {} : { cookie }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  })
  return { status: answer.status, warning: answer.headers.get('warning'), text: await answer.text() }
}

const sample = (name: string): Promise<Blob> =>
  openAsBlob(join(import.meta.dirname, `../samples/${name}.jpg`))

const artworksIn = ({ status, text }: Answer): readonly Artwork[] => {
  expect(status).toBe(200)
  return JSON.parse(text) as readonly Artwork[] // the contract of the call
}

/** The answer of now: one that says that it is an older one, as it may on a busy machine, is asked for again. */
const askNow = (site: Site, path: string): Promise<Answer> =>
  vi.waitFor(async () => {
    const answer = await ask(site, path)
    expect(answer.warning).toBeNull()
    return answer
  }, patient)

const artworksOf = async (site: Site): Promise<readonly Artwork[]> =>
  artworksIn(await askNow(site, '/api/artworks'))

/** Looks for what was acknowledged: it is there, unless the answer said that it is shown later (202). */
const seen = (acknowledged: Answer, look: () => Promise<void>): Promise<void> =>
  acknowledged.status === 202 ? vi.waitFor(look, patient) : look()

const kill = async (site: Site): Promise<void> => {
  const gone = once(site.process, 'exit')
  site.process.kill('SIGKILL')
  await gone
}

/** Reads events of a change stream until one names the model, and answers its id. */
const hearsOf = async (site: Site, model: string, headers: Record<string, string> = {}): Promise<string> => {
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(60_000)])
  const { body } = await fetch(`${site.url}/api/changes`, { headers, signal })
  if (body === null) throw new Error('The stream has no body')
  let heard = ''
  try {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      heard += chunk
      const told = heard.split('\n\n').find((event) => event.includes(`"${model}"`))
      if (told !== undefined) return /^id: (.*)$/m.exec(told)?.[1] ?? ''
    }
  } finally {
    gone.abort()
  }
  throw new Error(`The stream ended without ${model}: ${heard}`)
}

await describeOnServers('a site of several processes', ['eventstore', 'mongodb', 'redis'], (servers) => {
  const namespace = `roles-${process.pid}-${Date.now()}`
  const shared = {
    NAMESPACE: namespace,
    SECRET: 'a secret that every process of the test knows',
    EVENTSTORE_URL: servers.eventstore.url,
    MONGODB_URL: servers.mongodb.url,
    REDIS_URL: servers.redis.url,
    METRICS_TOKEN: '',
  }
  const running = new Set<Site>()
  let folder: string
  let doors: Readonly<Record<'eventstore' | 'mongodb' | 'redis', Door>>
  let [one, other, worker, projector, standby]: Site[] = []
  let cookie = ''
  let artwork: { readonly id: string }

  const start = async (roles: string, mongodb = doors.mongodb): Promise<Site> => {
    const site = await startSite({
      dataDir: folder,
      env: {
        ROLES: roles,
        ...shared,
        EVENTSTORE_URL: doors.eventstore.url,
        MONGODB_URL: mongodb.url,
        REDIS_URL: doors.redis.url,
      },
    })
    running.add(site)
    return site
  }
  const those = () => {
    if (!one || !other || !worker || !projector || !standby) throw new Error('The processes did not start')
    return { one, other, worker, projector, standby }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-roles-'))
    const [eventstore, mongodb, redis] = await Promise.all(
      [servers.eventstore.url, servers.mongodb.url, servers.redis.url].map(doorTo),
    )
    if (!eventstore || !mongodb || !redis) throw new Error('A door is missing')
    doors = { eventstore, mongodb, redis }
    ;[one, other, worker, projector] = await Promise.all(
      ['web', 'web', 'worker', 'projector'].map((roles) => start(roles)),
    )
    standby = await start('projector')
  })
  afterAll(async () => {
    await Promise.all([...running].map((site) => site.stop()))
    for (const door of Object.values(doors)) await door.close()
    await rm(folder, { recursive: true, force: true })
  })

  beforeEach(() => {
    onTestFailed(({ task }) => {
      for (const site of running) process.stderr.write(`${task.name}: ${site.output().slice(-3_000)}\n`)
    })
  })

  const setPrice = (site: Site, price: number): Promise<Answer> =>
    ask(site, `/api/artworks/${artwork.id}`, { method: 'PUT', cookie, body: { price } })

  /** Sends it until it is acknowledged as shown, which on a busy machine may take longer than one answer waits. */
  const setAndShown = (site: Site, price: number): Promise<void> =>
    vi.waitFor(async () => expect((await setPrice(site, price)).status).toBe(200), patient)

  it('signs the owner in at one web process for all of them', async () => {
    const { one, other } = those()
    cookie = await signIn(one)
    expect(await ask(other, '/api/auth/user', { cookie })).toMatchObject({ status: 200 })
  })

  it('takes a picture and a work, and the worker prepares it for every web process', minutes, async () => {
    const { one, other } = those()
    const { imageUrl } = await upload(one, cookie, await sample('yamuna'))
    const body = { title: 'Seen from everywhere', price: 1, imageUrl }
    const added = await ask(one, '/api/artworks', { method: 'POST', cookie, body })
    expect([201, 202]).toContain(added.status)
    artwork = JSON.parse(added.text) as Artwork
    await seen(added, async () => expect((await askNow(other, '/')).text).toContain('Seen from everywhere'))
    await vi.waitFor(async () => expect((await artworksOf(other))[0]?.image?.ready).toBe(true), patient)
    expect((await ask(other, imageUrl)).status).toBe(200)
  })

  it('shows at every web process on the next request what one acknowledged', minutes, async () => {
    const { one, other } = those()
    await ask(one, '/')
    await ask(other, '/')
    for (let price = 100_001; price <= 100_012; price += 1) {
      const [writes, reads] = price % 2 === 0 ? [one, other] : [other, one]
      await setAndShown(writes, price)
      const [artworks, page] = await Promise.all([artworksOf(reads), askNow(reads, '/')])
      expect(artworks[0]?.price).toBe(price)
      expect(page.text).toContain(new Intl.NumberFormat('en-IN').format(price))
    }
  })

  it(
    'closes a web process that alone is cut off MongoDB, once others go on, until it reaches it',
    minutes,
    async () => {
      const { one } = those()
      const door = await doorTo(servers.mongodb.url)
      const apart = await start('web', door)
      expect((await askNow(apart, '/')).status).toBe(200)
      await door.shut()
      let price = 200_000
      await vi.waitFor(async () => {
        price += 1
        await setPrice(one, price)
        const asked = ['/', '/api/artworks', '/openz', '/healthz'].map(
          async (path) => (await ask(apart, path)).status,
        )
        expect(await Promise.all(asked)).toEqual([503, 503, 503, 200])
      }, patient)
      await door.open()
      await vi.waitFor(async () => expect((await artworksOf(apart))[0]?.price).toBe(price), patient)
      running.delete(apart)
      await apart.stop()
      await door.close()
    },
  )

  it('counts attempts to sign in for all web processes together', async () => {
    const { one, other } = those()
    const tries: number[] = []
    // Twelve are enough, unless a busy machine answers some of them with 503.
    for (let n = 0; n < 20 && !tries.includes(429); n += 1) {
      const body = { username: `nobody-${n}`, password: 'a wrong password' }
      tries.push((await ask(n % 2 === 0 ? one : other, '/api/login', { method: 'POST', body })).status)
    }
    expect(tries).toContain(429)
    expect(tries.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
  })

  it('tells a tab at one web process what was changed at another', minutes, async () => {
    const { one, other } = those()
    let isOver = false
    const heard = hearsOf(other, 'categories').finally(() => {
      isOver = true
    })
    // Heard of below.
    heard.catch(() => undefined)
    for (let n = 0; !isOver; n += 1) {
      const body = { name: `Hills ${n}` }
      const { status } = await ask(one, '/api/categories', { method: 'POST', cookie, body })
      expect([201, 202]).toContain(status)
      await Promise.race([heard, pause(500)])
    }
    await heard
  })

  /** Sends a letter to one web process and waits for it at another: its sender is not told when it is shown. */
  const sendMessage = async (message: string): Promise<{ readonly id: string }> => {
    const { one, other } = those()
    const openedAt = new Date(Date.now() - 60_000).toISOString()
    const body = { name: 'Asha', email: 'asha@example.com', subject: 'general', message, openedAt }
    expect((await ask(other, '/api/contact', { method: 'POST', body })).status).toBe(201)
    return vi.waitFor(async () => {
      const { text } = await ask(one, '/api/contact-messages', { cookie })
      const listed = JSON.parse(text) as readonly { readonly id: string; readonly message: string }[] // the contract of the call
      const found = listed.find((each) => each.message === message)
      if (found === undefined) throw new Error(`The message is not listed yet: ${text}`)
      return found
    }, patient)
  }

  it('brings a visitor’s letter at one web process to the owner at another', minutes, async () => {
    expect(await sendMessage('Is it for sale?')).toMatchObject({ name: 'Asha', isRead: false })
  })

  it('says how it is, and nothing else, without the web role', minutes, async () => {
    const { worker, projector } = those()
    for (const site of [worker, projector]) {
      expect(await ask(site, '/healthz')).toMatchObject({ status: 200 })
      await expect.poll(() => ask(site, '/readyz'), patient).toMatchObject({ status: 200 })
      // A proxy may come here for a moment: nobody is to keep that nothing is there.
      for (const path of ['/', '/api/artworks', '/admin'])
        expect(await ask(site, path)).toMatchObject({ status: 503, text: expect.stringContaining('roles') })
    }
  })

  it('keeps files only in a folder of each process', async () => {
    expect(await readdir(folder)).toEqual(['processes'])
  })

  it('acknowledges a command that is sent again as shown only once it is', minutes, async () => {
    const { one, other, projector, standby } = those()
    const [price, keys] = [150_000, [randomUUID(), randomUUID()]]
    // An image has no key but its bytes.
    const image = await sample('gulmohar')
    const send = async (site: Site) => {
      const answers = await Promise.all([
        ask(site, `/api/artworks/${artwork.id}`, { method: 'PUT', cookie, body: { price }, key: keys[0] }),
        ask(site, '/api/categories', {
          method: 'POST',
          cookie,
          body: { name: 'Sent again' },
          key: keys[1],
        }),
        uploadOnce(site, cookie, image),
      ])
      const { imageUrl } = JSON.parse(answers[2].text) as { imageUrl?: string }
      return { statuses: answers.map(({ status }) => status), imageUrl }
    }
    const late = async (site: Site): Promise<void> => {
      const { statuses, imageUrl } = await send(site)
      expect(statuses).toEqual([202, 202, 201])
      expect((await fetch(`${site.url}${imageUrl}`)).status).toBe(200)
    }
    for (const each of [projector, standby]) each.process.kill('SIGSTOP')
    try {
      await late(one)
      await late(other)
    } finally {
      for (const each of [projector, standby]) each.process.kill('SIGCONT')
    }
    await vi.waitFor(async () => expect((await send(other)).statuses).toEqual([200, 201, 201]), patient)
    expect((await artworksOf(one))[0]?.price).toBe(price)
    expect((await askNow(one, '/api/categories')).text.split('Sent again')).toHaveLength(2)
  })

  /** The views that a process leads, as its metrics tell. */
  const ledBy = async (site: Site): Promise<readonly string[]> => {
    const { text } = await ask(site, '/metrics')
    return [...text.matchAll(/^atelier_leads_view\{view="(.+)"\} 1$/gm)].map(([, view]) => view ?? '')
  }
  const views = allProjections.map(({ view }) => view.name).toSorted()
  /** Waits until these processes lead all views, each of them no more than its share. */
  const divided = (...sites: readonly Site[]): Promise<void> =>
    vi.waitFor(async () => {
      const shares = await Promise.all(sites.map(ledBy))
      expect(shares.flat().toSorted()).toEqual(views)
      for (const share of shares)
        expect(share.length).toBeLessThanOrEqual(Math.ceil(views.length / sites.length))
    }, patient)

  it('divides the views between those that project, and tells who leads which', minutes, async () => {
    const { projector, standby } = those()
    await divided(projector, standby)
    const { code, output } = await atelier(folder, ['projections', 'status', '--json'], '', shared)
    expect(code).toBe(0)
    const { leaders } = (JSON.parse(output) as { data: { leaders: Record<string, string> } }).data // as it prints it
    for (const site of [projector, standby])
      for (const view of await ledBy(site))
        expect(leaders[view]).toBe(`led by ${hostname()}/${site.process.pid}`)
  })

  it('tells a tab that comes back of a change that was shown late', minutes, async () => {
    const { one, other, projector, standby } = those()
    const hears = (site: Site, last: string, named: string) =>
      hearsOf(site, named, { cookie, 'last-event-id': last })
    /** A write to each view that has a call of its own here, one that waits until it is shown. */
    const writes = (n: number) =>
      [
        {
          view: 'artworks',
          method: 'PUT',
          path: `/api/artworks/${artwork.id}`,
          body: { price: 170_000 + n },
        },
        { view: 'categories', method: 'POST', path: '/api/categories', body: { name: `Late ${n}` } },
        { view: 'mediums', method: 'POST', path: '/api/mediums', body: { name: `Late ${n}` } },
        { view: 'site-content', method: 'PUT', path: '/api/site-content', body: { location: `Late ${n}` } },
      ] as const
    /** The same for messages: a letter is read once, and another write to it needs another letter. */
    const readMessage = async (n: number) => {
      const { id } = await sendMessage(`Late ${n}`)
      return { view: 'messages', method: 'PUT', path: `/api/contact-messages/${id}/read`, body: {} } as const
    }
    let tries = 0
    /** Writes to a view whose projector stands still, and hears at which place that was told of. */
    const writeLate = async () => {
      tries += 1
      await divided(projector, standby)
      const isAhead = (await ledBy(projector)).includes('activity')
      const [ahead, behind] = isAhead ? [projector, standby] : [standby, projector]
      const led = await ledBy(behind)
      // Of nine views four or five are behind, among them one of these.
      const write = writes(tries).find(({ view }) => led.includes(view)) ?? (await readMessage(tries))
      expect(led).toContain(write.view)
      const { view, method, path, body } = write
      const model = view === 'messages' ? 'contact-messages' : view
      const key = randomUUID()
      const send = () => ask(one, path, { method, cookie, body, key })
      behind.process.kill('SIGSTOP')
      try {
        expect((await send()).status).toBe(202)
        const id = await hears(one, '0', 'activity')
        // Nobody has gone on with what stands still before the place was known.
        const ledNow = await ledBy(ahead)
        for (const view of led) expect(ledNow).not.toContain(view)
        return { id, model, send }
      } finally {
        behind.process.kill('SIGCONT')
      }
    }
    // On a busy machine an engine may refuse in words, or the ahead one takes the view over before the answer.
    const { id, model, send } = await vi.waitFor(writeLate, patient)
    await vi.waitFor(async () => expect([200, 201]).toContain((await send()).status), patient)
    for (const site of [one, other]) await hears(site, id, model)
  })

  it('takes over the views of one that stands still, which steps back when it goes on', minutes, async () => {
    const { one, other, projector, standby } = those()
    await divided(projector, standby)
    standby.process.kill('SIGSTOP')
    try {
      await divided(projector)
      await setAndShown(one, 160_001)
    } finally {
      standby.process.kill('SIGCONT')
    }
    await divided(projector, standby)
    await setAndShown(one, 160_002)
    expect((await artworksOf(other))[0]?.price).toBe(160_002)
  })

  it('goes on with another projector after a kill', minutes, async () => {
    const { one, other, projector, standby } = those()
    await divided(projector, standby)
    const killed = performance.now()
    await kill(projector)
    running.delete(projector)
    // What cannot be shown yet is acknowledged as such, and is not lost.
    expect([200, 202]).toContain((await setPrice(one, 200_001)).status)
    await vi.waitFor(async () => expect((await artworksOf(other))[0]?.price).toBe(200_001), patient)
    await setAndShown(one, 200_002)
    expect((await artworksOf(other))[0]?.price).toBe(200_002)
    await divided(standby)
    process.stderr.write(
      `The views were taken over ${Math.round(performance.now() - killed)} ms after the kill\n`,
    )
  })

  const words = { eventstore: 'The event log', mongodb: 'MongoDB', redis: 'The job queue' } as const
  const ways = [
    ['cut off', (door: Door) => door.shut(), (door: Door) => door.open()],
    ['frozen', async (door: Door) => door.freeze(), async (door: Door) => door.thaw()],
  ] as const

  describe.each(['eventstore', 'mongodb', 'redis'] as const)('while %s is away', (name) => {
    it.each(ways)(
      '(%s) reads go on, a write is done or answered with 503 in words, and all recovers',
      minutes,
      async (_, away, back) => {
        const { one, other, worker } = those()
        const before = (await artworksOf(one))[0]?.price ?? 0
        expect((await ask(one, '/')).status).toBe(200)
        await away(doors[name])
        try {
          expect((await ask(one, '/healthz')).status).toBe(200)
          const page = await ask(one, '/')
          expect(page.status).toBe(200)
          expect(page.text).toContain('Seen from everywhere')
          if (name === 'mongodb') expect(page.warning).toBe('110 - "Response is Stale"')
          expect(artworksIn(await ask(one, '/api/artworks'))[0]?.price).toBe(before)
          const written = await setPrice(one, before + 1)
          if (written.status === 503)
            expect(JSON.parse(written.text)).toEqual({ message: expect.any(String) })
          else expect([200, 202]).toContain(written.status)
          for (const site of [one, worker]) {
            const ready = await ask(site, '/readyz')
            expect(ready.status).toBe(503)
            expect(ready.text).toContain(words[name])
          }
        } finally {
          await back(doors[name])
        }
        await setAndShown(one, before + 2)
        // One that has not heard of MongoDB yet says that its answer is stale.
        expect((await artworksOf(other))[0]?.price).toBe(before + 2)
        for (const site of [one, other, worker])
          await vi.waitFor(async () => expect((await ask(site, '/readyz')).status).toBe(200), patient)
      },
    )
  })

  it('shows no more what was taken off a list before MongoDB fell silent', minutes, async () => {
    const { one, other } = those()
    const added = await ask(one, '/api/mediums', { method: 'POST', cookie, body: { name: 'Taken off' } })
    const { id } = JSON.parse(added.text) as { readonly id: string } // the contract of the call
    await vi.waitFor(
      async () => expect((await askNow(other, '/api/mediums')).text).toContain('Taken off'),
      patient,
    )
    const heard = hearsOf(other, 'mediums')
    await vi.waitFor(async () => {
      const answer = await ask(one, `/api/mediums/${id}`, {
        method: 'PUT',
        cookie,
        body: { isActive: false },
      })
      expect(answer.status).toBe(200)
    }, patient)
    await heard
    // Half a second after a change it is read what stands in. A busy machine takes longer, and gets another change.
    await vi.waitFor(async () => {
      const { status } = await ask(one, '/api/mediums', {
        method: 'POST',
        cookie,
        body: { name: randomUUID() },
      })
      expect(status).toBe(201)
      await pause(1_500)
      await doors.mongodb.shut()
      try {
        const answer = await ask(other, '/api/mediums')
        expect(answer.text).not.toContain('Taken off')
        expect([answer.status, answer.warning]).toEqual([200, '110 - "Response is Stale"'])
      } finally {
        await doors.mongodb.open()
        await vi.waitFor(async () => expect((await ask(other, '/readyz')).status).toBe(200), patient)
      }
    }, patient)
  })

  it('does the work that came while the queue was away', minutes, async () => {
    const { one } = those()
    await doors.redis.shut()
    // Guesses and messages are counted by the process itself meanwhile.
    expect(await signIn(one)).toContain('atelier=')
    const message = { name: 'Asha', email: 'asha@example.org', subject: 'general', message: 'Rain?' }
    expect((await ask(one, '/api/contact', { method: 'POST', body: message })).status).toBe(201)
    const { imageUrl } = await upload(one, cookie, await sample('monsoon'))
    await doors.redis.open()
    const body = { title: 'Came in a quiet hour', price: 1, imageUrl }
    const { status } = await ask(one, '/api/artworks', { method: 'POST', cookie, body })
    expect([201, 202]).toContain(status)
    await vi.waitFor(async () => {
      const added = (await artworksOf(one)).find(({ title }) => title === body.title)
      expect(added?.image?.ready).toBe(true)
    }, patient)
  })

  it('ends every process cleanly on a signal', minutes, async () => {
    for (const site of running) {
      if (site.process.exitCode !== null || site.process.signalCode !== null) continue
      const gone = once(site.process, 'exit')
      site.process.kill('SIGTERM')
      expect(await gone).toEqual([0, null])
    }
  })
})
