import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Door, doorTo } from '#infrastructure/cluster/testing/door.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import sharp from 'sharp'
import { atelier, runCli } from './support/atelier.ts'
import { password, signIn, type Site, startSite } from './support/site.ts'
import { upload } from './support/upload.ts'

const patient = { timeout: 60_000, interval: 50 }
const minutes = { timeout: 600_000 }

await describeOnServers(
  'the operator beside several processes',
  ['eventstore', 'mongodb', 'redis'],
  (servers) => {
    const shared = {
      NAMESPACE: `operator-${process.pid}-${Date.now()}`,
      SECRET: 'a secret that every process of the test knows',
      MONGODB_URL: servers.mongodb.url,
      REDIS_URL: servers.redis.url,
    }
    let folder: string
    /** The processes' way to the log; the command has one of its own. */
    let door: Door
    /** those that run: one, of the two that start, is killed on the way */
    const sites: Site[] = []

    const start = async (): Promise<void> => {
      sites.push(
        await startSite({
          dataDir: folder,
          env: { ...shared, EVENTSTORE_URL: door.url, LOG_LEVEL: 'info' },
        }),
      )
    }
    const command = (...args: readonly string[]) =>
      atelier(folder, args, '', { ...shared, EVENTSTORE_URL: servers.eventstore.url })
    /** How many commands each process has taken. */
    const taken = (): readonly number[] =>
      sites.map((site) => site.output().split('an operator’s command').length - 1)
    const kill = async (site: Site): Promise<void> => {
      sites.splice(sites.indexOf(site), 1)
      const gone = once(site.process, 'exit')
      site.process.kill('SIGKILL')
      await gone
    }
    const first = (): Site => {
      const [site] = sites
      if (site === undefined) throw new Error('No process runs')
      return site
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'atelier-operator-'))
      door = await doorTo(servers.eventstore.url)
      await start()
      await vi.waitFor(() => {
        if (first().output().split('This process leads a view').length <= 9)
          throw new Error('Not every view is led yet')
      }, patient)
      await start()
    })
    afterAll(async () => {
      door.thaw()
      for (const site of sites) await site.stop()
      await door.close()
      await rm(folder, { recursive: true, force: true })
    })

    it('has what several ask at once done by those that lead the views', minutes, async () => {
      const all = await Promise.all([
        command('projections', 'rebuild', 'artworks', '--json'),
        command('projections', 'rebuild', 'categories', '--json'),
        // Needs no projector, so nobody is asked.
        command('images', 'sweep', '--json'),
      ])
      // As text, so that a command that failed says why.
      expect(all.filter(({ code }) => code !== 0).map((each) => JSON.stringify(each))).toEqual([])
      expect(all.slice(0, 2).map(({ output }) => JSON.parse(output))).toMatchObject([
        { ok: true, data: { switched: true, views: [{ view: 'artworks' }] } },
        { ok: true, data: { switched: true, views: [{ view: 'categories' }] } },
      ])
      // A view may pass to the other process while it is asked for, which is then asked again.
      await expect.poll(() => taken().reduce((a, b) => a + b)).toBeGreaterThanOrEqual(2)
    })

    it('has it done by the next when the first is killed in the middle', minutes, async () => {
      const { url } = first()
      const added = await fetch(`${url}/api/categories`, {
        method: 'POST',
        headers: { cookie: await signIn(first()), 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Hills' }),
      })
      expect([201, 202]).toContain(added.status)
      const shown = async () => (await fetch(`${url}/api/categories`)).text()
      await expect.poll(shown, patient).toContain('Hills')
      // What is to be read of the log does not come for seconds: the command is under way when its process is killed.
      door.freeze()
      try {
        const before = taken()
        const asked = command('projections', 'rebuild', 'artworks')
        const taking = () => sites.find((_, n) => (taken()[n] ?? 0) > (before[n] ?? 0))
        await expect.poll(taking, patient).toBeDefined()
        await kill(taking() ?? first())
        const left = taken()
        door.thaw()
        expect(await asked).toMatchObject({ code: 0 })
        expect(taken()).not.toEqual(left)
      } finally {
        door.thaw()
      }
    })

    it(
      'does what needs nothing of the log while that is away, and ends the rest in words',
      minutes,
      async () => {
        const gone = await doorTo(servers.eventstore.url)
        const away = (args: readonly string[], input = '') =>
          atelier(folder, args, input, { ...shared, EVENTSTORE_URL: gone.url })
        const inWords = { code: 1, errors: expect.stringContaining('The event log does not answer') }
        for (const leave of [async () => gone.freeze(), gone.shut]) {
          await leave()
          expect(
            await Promise.all([
              away(['jobs', 'list']),
              away(['admin', 'sessions']),
              away(['admin', 'set-password'], `${password}\n`),
              away(['projections', 'verify']),
              away(['projections', 'rebuild']),
              away(['samples', 'remove']),
            ]),
          ).toMatchObject([{ code: 0 }, { code: 0 }, { code: 0 }, inWords, inWords, inWords])
        }
        await gone.close()
      },
    )

    it('ends the change streams of a session that it ends, in every process at once', minutes, async () => {
      const cookie = await signIn(first())
      const stream = await fetch(`${first().url}/api/changes`, { headers: { cookie } })
      let isOpen = true
      void stream.text().then(() => (isOpen = false))
      expect(await command('admin', 'sessions', '--end', 'all')).toMatchObject({ code: 0 })
      // Before the next time that all streams are looked at, which is every 25 s.
      await vi.waitFor(() => expect(isOpen).toBe(false), { timeout: 60_000 })
    })

    it.each(['projections verify', 'samples remove', 'doctor'])(
      'ends %s at the first signal while the log is frozen',
      minutes,
      async (args) => {
        const frozen = createServer().listen(0, '127.0.0.1')
        const sockets = new Set<Socket>()
        frozen.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
        await once(frozen, 'listening')
        const { port } = frozen.address() as AddressInfo // it listens on a port
        const begin = () =>
          runCli(folder, args.split(' '), {
            ...shared,
            EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false`,
          })
        const child = begin()
        const ended = once(child, 'exit')
        await once(frozen, 'connection')
        // One that nobody stops waits four seconds for the log, and ten where it only asks, however busy the machine is.
        const patient = begin()
        const givenUp = once(patient, 'exit').then(() => 'given up')
        child.kill('SIGINT')
        expect(await Promise.race([ended, givenUp])).toEqual([1, null])
        patient.kill('SIGKILL')
        await givenUp
        for (const socket of sockets) socket.destroy()
        frozen.close()
      },
    )

    it('makes variants by itself when no process works on jobs', minutes, async () => {
      const last = first()
      const image = sharp({ create: { width: 400, height: 300, channels: 3, background: '#865' } })
      const cookie = await signIn(last)
      await upload(last, cookie, new Blob([new Uint8Array(await image.jpeg().toBuffer())]))
      // Then it works on jobs in the place of the one that was killed, which counts for a while.
      const jobs = async () => (await fetch(`${last.url}/api/jobs`, { headers: { cookie } })).text()
      // With what the process said of itself, which tells why it did not.
      await expect.poll(async () => `${await jobs()}\n${last.output()}`, patient).toContain('"state":"done"')
      await last.stop()
      const made = await command('images', 'reprocess', '--all', '--json')
      expect([made.code, made.errors]).toEqual([0, expect.any(String)])
      expect(JSON.parse(made.output)).toMatchObject({ ok: true, data: { pictures: 1, failures: [] } })
    })

    it('begins no act that is decided by views which nobody keeps', minutes, async () => {
      for (const args of [
        ['samples', 'add'],
        ['samples', 'remove'],
      ])
        expect(await command(...args)).toMatchObject({
          code: 1,
          errors: expect.stringContaining('Nothing keeps the views up to date at the moment'),
        })
    })
  },
)
