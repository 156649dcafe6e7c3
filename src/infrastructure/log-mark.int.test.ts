import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { reactorCheckpoint } from '#application/kernel/ports/checkpoints.ts'
import { createLog } from './log/log.ts'
import { systemClock } from './clock.ts'
import { openEventStore } from './cluster/eventstore/event-store.ts'
import { openMark } from './cluster/mongodb/log-mark.ts'
import { at, ownDatabase } from './cluster/mongodb/testing/site.ts'
import { describeOnServers } from './cluster/testing/servers.ts'
import { readConfig } from './config/config.ts'
import { logMarkContract } from './testing/contracts/log-mark.contract.ts'
import { freshStream, someEvent } from './testing/contracts/some-events.ts'
import { markFile, markPath } from './embedded/log-mark-file.ts'
import type { Engines } from './engine-sets.ts'
import { openEngines } from './engines.ts'
import { lostLog } from './lost-log.ts'

const log = createLog('silent')
const someAccount = {
  id: randomUUID(),
  username: 'Asha',
  email: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  passwordHash: 'none',
  firstPassword: false,
  firstStepsAway: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-mark-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** One after the other, as the one process that holds the folder writes it. */
logMarkContract('a file beside the log', async () => ({
  fresh: async () => {
    const store = markFile(await mkdtemp(join(folder, 'data-')), 'embedded')
    let last: Promise<void> = Promise.resolve()
    return { ...store, raise: (position) => (last = last.then(() => store.raise(position))) }
  },
  close: async () => undefined,
}))

describe('the mark in a file', () => {
  it('is for its owner, always as long, and unknown when it is damaged or of another log', async () => {
    const dataDir = await mkdtemp(join(folder, 'data-'))
    const mark = markFile(dataDir, 'embedded')
    await mark.raise(null)
    const { length } = await readFile(markPath(dataDir))
    const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), systemClock, log)
    const { position } = await engines.eventStore.append(freshStream(), 'no-stream', [someEvent(1)])
    expect(await engines.eventStore.head()).toBe(position)
    await engines.close()
    expect(await mark.read()).toEqual({ position })
    expect((await readFile(markPath(dataDir))).length).toBe(length)
    expect((await stat(markPath(dataDir))).mode & 0o777).toBe(0o600)
    expect(await markFile(dataDir, 'EventStoreDB').read()).toBe('unknown')
    await rm(markPath(dataDir))
    await mkdir(markPath(dataDir))
    const words = `${markPath(dataDir)} is a file where a folder belongs, or a folder where a file belongs: move it away`
    await expect(mark.read()).rejects.toThrow(words)
    await expect(mark.raise(position)).rejects.toThrow(words)
    await rm(markPath(dataDir), { recursive: true })
    for (const damage of ['', 'something longer than a mark ever was'.repeat(9)]) {
      await writeFile(markPath(dataDir), damage)
      expect(await mark.read()).toBe('unknown')
      await mark.raise(position)
      expect(await mark.read()).toEqual({ position })
    }
  })
})

await describeOnServers('the mark in MongoDB', ['mongodb'], ({ mongodb }) => {
  const database = ownDatabase(mongodb.url, 'mark')
  logMarkContract('MongoDB', async () => {
    const opened: Awaited<ReturnType<typeof database.connect>>[] = []
    return {
      fresh: async () => {
        const mongo = await database.connect({ namespace: randomUUID().slice(0, 8) })
        opened.push(mongo)
        return openMark(mongo)
      },
      close: async () => {
        for (const mongo of opened) await mongo.close()
      },
    }
  })

  it('is not made anew where it is gone, but by a start', async () => {
    const mongo = await database.connect({ namespace: randomUUID().slice(0, 8) })
    const mark = openMark(mongo)
    await mark.begin(at(1))
    await mongo.collection('about').drop()
    await mark.raise(at(2))
    expect(await mark.read()).toBe('unknown')
    await mark.begin(at(2))
    expect(await mark.read()).toEqual({ position: at(2) })
    await mongo.close()
  })
})

await describeOnServers(
  'a log on servers that was lost',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    const opened: Engines[] = []
    afterEach(async () => {
      for (const engines of opened.splice(0)) await engines.close()
    })
    const config = (namespace: string, backupDir?: string) =>
      readConfig({
        DATA_DIR: folder,
        EVENTSTORE_URL: eventstore.url,
        MONGODB_URL: mongodb.url,
        REDIS_URL: redis.url,
        SECRET: 'a secret that is only used by this test',
        NAMESPACE: namespace,
        ...(backupDir === undefined ? {} : { BACKUP_DIR: backupDir }),
      })
    const open = async (namespace: string): Promise<Engines> => {
      const engines = await openEngines(config(namespace), systemClock, log)
      opened.push(engines)
      return engines
    }

    it('is whole while it goes on from its mark, which every process moves', async () => {
      const namespace = `mark-${randomUUID().slice(0, 8)}`
      const engines = await open(namespace)
      expect(await lostLog(engines, config(namespace))).toBeNull()
      await engines.logMark.begin(await engines.eventStore.head())
      await engines.eventStore.append(freshStream(), 'no-stream', [someEvent(1)])
      const other = await open(namespace)
      const { position } = await other.eventStore.append(freshStream(), 'no-stream', [someEvent(2)])
      await expect.poll(() => engines.logMark.read()).toEqual({ position })
      expect(await lostLog(engines, config(namespace))).toBeNull()
    })

    it('is told when it ends before its mark, and when it is empty beside a mark, pictures or letters', async () => {
      const [short, marked, images, messages] = Array.from(
        { length: 4 },
        () => `mark-${randomUUID().slice(0, 8)}`,
      ) as [string, string, string, string]
      const beyond = `7${'0'.repeat(15)}-7${'0'.repeat(15)}`
      const one = await open(short)
      await one.eventStore.append(freshStream(), 'no-stream', [someEvent(1)])
      await one.logMark.place(beyond as Parameters<typeof one.logMark.place>[0])
      expect(await lostLog(one, config(short))).toMatch(/ends at .* before the place 7.*EVENTSTORE_URL/)
      const two = await open(marked)
      await two.logMark.place(beyond as Parameters<typeof one.logMark.place>[0])
      expect(await lostLog(two, config(marked))).toMatch(/is empty, although there is a site: the place 7/)
      const three = await open(images)
      await three.files.put(`originals/${'a'.repeat(64)}`, Buffer.from('a picture'))
      expect(await lostLog(three, config(images))).toMatch(/a site: 1 original picture\./)
      const four = await open(messages)
      await four.keyVault.seal('m1', 'text')
      expect(await lostLog(four, config(messages))).toMatch(/a site: keys of 1 letter\./)
    })

    it('is whole beside a lost MongoDB: that is told, until there is an account or a server has begun', async () => {
      const [namespace, older, begun, folderLog] = Array.from(
        { length: 4 },
        () => `mark-${randomUUID().slice(0, 8)}`,
      ) as [string, string, string, string]
      /** A log with an event, of which MongoDB has never heard. */
      const unheard = async (of: string): Promise<Engines> => {
        const engines = await open(of)
        const eventStore = openEventStore({ address: eventstore.url, namespace: of, log })
        await eventStore.append(freshStream(), 'no-stream', [someEvent(1)])
        await eventStore.close()
        return engines
      }
      const lost = await unheard(namespace)
      const words =
        /MongoDB \(MONGODB_URL\) is empty, although the log has events .*MONGODB_URL or NAMESPACE.*events accept/
      expect(await lostLog(lost, config(namespace))).toMatch(words)
      // A message that came while it was emptied.
      await lost.keyVault.seal('m1', 'text')
      expect(await lostLog(lost, config(namespace))).toMatch(words)
      await lost.logMark.place(await lost.eventStore.head())
      expect(await lostLog(lost, config(namespace))).toBeNull()
      const upgraded = await unheard(older)
      await upgraded.accounts.addFirst(someAccount)
      expect(await lostLog(upgraded, config(older))).toBeNull()
      const started = await unheard(begun)
      await started.checkpoints.place(reactorCheckpoint, null)
      expect(await lostLog(started, config(begun))).toBeNull()

      // The mark in the folder of the log tells nothing of MongoDB.
      const mixed = readConfig({
        DATA_DIR: await mkdtemp(join(folder, 'data-')),
        MONGODB_URL: mongodb.url,
        SECRET: 'a secret that is only used by this test',
        NAMESPACE: folderLog,
      })
      const engines = await openEngines(mixed, systemClock, log)
      opened.push(engines)
      const { position } = await engines.eventStore.append(freshStream(), 'no-stream', [someEvent(1)])
      await engines.logMark.place(position)
      expect(await lostLog(engines, mixed)).toMatch(words)
    })
  },
)
