import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Door, doorTo } from '#infrastructure/cluster/testing/door.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import sharp from 'sharp'
import { atelier } from './support/atelier.ts'
import { password, signIn, type Site, startSite } from './support/site.ts'
import { upload } from './support/upload.ts'

const patient = { timeout: 60_000, interval: 50 }
const minutes = { timeout: 180_000 }

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
    let [holder, other]: Site[] = []

    const start = (): Promise<Site> =>
      startSite({
        dataDir: folder,
        within: 60_000,
        env: { ...shared, EVENTSTORE_URL: door.url, LOG_LEVEL: 'info' },
      })
    const those = () => {
      if (!holder || !other) throw new Error('The processes did not start')
      return { holder, other }
    }
    const command = (...args: readonly string[]) =>
      atelier(folder, args, '', { ...shared, EVENTSTORE_URL: servers.eventstore.url })
    /** How many commands a process has taken. */
    const taken = (site: Site): number => site.output().split('an operator’s command').length - 1
    const kill = async (site: Site): Promise<void> => {
      const gone = once(site.process, 'exit')
      site.process.kill('SIGKILL')
      await gone
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'atelier-operator-'))
      door = await doorTo(servers.eventstore.url)
      holder = await start()
      await vi.waitFor(() => {
        if ((holder?.output().split('This process leads a view').length ?? 0) <= 9)
          throw new Error('Not every view is led yet')
      }, patient)
      other = await start()
    }, 120_000)
    afterAll(async () => {
      door.thaw()
      for (const site of [holder, other]) await site?.stop()
      await door.close()
      await rm(folder, { recursive: true, force: true })
    })

    it('has what several ask at once done once each, by the one that leads the view', minutes, async () => {
      const all = await Promise.all([
        command('projections', 'rebuild', 'artworks', '--json'),
        command('projections', 'rebuild', 'categories', '--json'),
        // Needs no projector, so nobody is asked.
        command('images', 'sweep', '--json'),
      ])
      expect(all.map(({ code, errors }) => [code, errors])).toEqual(all.map(() => [0, expect.any(String)]))
      expect(all.slice(0, 2).map(({ output }) => JSON.parse(output))).toMatchObject([
        { ok: true, data: { switched: true, views: [{ view: 'artworks' }] } },
        { ok: true, data: { switched: true, views: [{ view: 'categories' }] } },
      ])
      await expect.poll(() => [taken(those().holder), taken(those().other)]).toEqual([2, 0])
    })

    it('has it done by the next when the first is killed in the middle', minutes, async () => {
      const { other: writes } = those()
      const added = await fetch(`${writes.url}/api/categories`, {
        method: 'POST',
        headers: { cookie: await signIn(writes), 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Hills' }),
      })
      expect([201, 202]).toContain(added.status)
      const shown = async () => (await fetch(`${writes.url}/api/categories`)).text()
      await expect.poll(shown, patient).toContain('Hills')
      // What is to be read of the log does not come for seconds: the command is under way when its process is killed.
      door.freeze()
      const asked = command('projections', 'rebuild', 'artworks')
      await expect.poll(() => taken(those().holder), patient).toBe(3)
      await kill(those().holder)
      door.thaw()
      expect(await asked).toMatchObject({ code: 0 })
      await expect.poll(() => taken(those().other)).toBe(1)
    })

    it(
      'does what needs nothing of the log while that is away, and ends the rest in words',
      minutes,
      async () => {
        const gone = await doorTo(servers.eventstore.url)
        const away = (args: readonly string[], input = '') =>
          atelier(folder, args, input, { ...shared, EVENTSTORE_URL: gone.url })
        for (const leave of [async () => gone.freeze(), gone.shut]) {
          await leave()
          expect(await away(['jobs', 'list'])).toMatchObject({ code: 0 })
          expect(await away(['admin', 'sessions'])).toMatchObject({ code: 0 })
          expect(await away(['admin', 'set-password'], `${password}\n`)).toMatchObject({ code: 0 })
          for (const args of [
            ['projections', 'verify'],
            ['projections', 'rebuild'],
            ['samples', 'remove'],
          ])
            expect(await away(args)).toMatchObject({
              code: 1,
              errors: expect.stringContaining('The event log does not answer'),
            })
        }
        await gone.close()
      },
    )

    it('makes variants by itself when no process works on jobs', minutes, async () => {
      const { other: last } = those()
      const image = sharp({ create: { width: 400, height: 300, channels: 3, background: '#865' } })
      const cookie = await signIn(last)
      await upload(last, cookie, new Blob([new Uint8Array(await image.jpeg().toBuffer())]))
      // Then it works on jobs in the place of the one that was killed, which counts for a while.
      const jobs = async () => (await fetch(`${last.url}/api/jobs`, { headers: { cookie } })).text()
      await expect.poll(jobs, patient).toContain('"state":"done"')
      await last.stop()
      const made = await command('images', 'reprocess', '--all', '--json')
      expect([made.code, made.errors]).toEqual([0, expect.any(String)])
      expect(JSON.parse(made.output)).toMatchObject({ ok: true, data: { pictures: 1, failures: [] } })
    })
  },
)
