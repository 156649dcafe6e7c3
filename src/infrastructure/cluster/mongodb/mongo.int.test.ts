import { randomUUID } from 'node:crypto'
import type { CommandStartedEvent } from 'mongodb'
import { describe, expect, it, vi } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { SecretMismatch } from '../../key-vault/sealing.ts'
import { type Door, doorTo } from '../testing/door.ts'
import { systemClock } from '../../clock.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openCheckpoints } from './records.ts'
import { NewerData } from '../../newer-data.ts'
import { checkDataVersion } from './data-version.ts'
import { openDocuments } from './documents.ts'
import { openFiles } from './files.ts'
import { openKeyVault } from './key-vault.ts'
import type { Mongo } from './mongo.ts'
import { at, ownDatabase } from './testing/site.ts'

const secret = 'a secret of thirty-two characters'
const fresh = (): string => randomUUID().slice(0, 8)

await describeOnServers('MongoDB as it comes and goes', ['mongodb'], ({ mongodb }) => {
  const { url, connect, openSite } = ownDatabase(mongodb.url, 'away')

  /** The driver tells of its commands only when it is asked to. */
  const watched = (address: string): string =>
    `${address}${address.includes('?') ? '&' : '?'}monitorCommands=true`

  const throughDoor = async (): Promise<{ door: Door; mongo: Mongo; close: () => Promise<void> }> => {
    const door = await doorTo(url)
    const mongo = await connect({ url: watched(door.url), namespace: fresh() })
    return {
      door,
      mongo,
      close: async () => {
        await mongo.close()
        await door.close()
      },
    }
  }

  /** As everybody does who is told that it is away, also where the client has to be connected anew first. */
  const untilBack = <Result>(call: () => Promise<Result>): Promise<Result> =>
    vi.waitFor(call, { timeout: 60_000, interval: 100 })

  it('is named as away when nothing answers at its address', async () => {
    const door = await doorTo(url)
    await door.close()
    await expect(openSite({ url: door.url, waitMs: 0 })).rejects.toThrow(EngineAway)
  })

  it('is waited for at the start', async () => {
    const door = await doorTo(url)
    await door.shut()
    let tries = 0
    const opening = connect({ url: door.url, log: { warn: () => (tries += 1) } })
    await expect.poll(() => tries).toBeGreaterThan(0)
    await door.open()
    const mongo = await opening
    await mongo.close()
    await door.close()
  })

  it('is away while the connection is cut, and answers by itself afterwards', async () => {
    const { door, mongo, close } = await throughDoor()
    const checkpoints = openCheckpoints(mongo)
    await checkpoints.place('reactor', at(1))
    await door.shut()
    await expect(checkpoints.save('reactor', at(2))).rejects.toThrow(EngineAway)
    await expect(checkpoints.load('reactor')).rejects.toThrow('MongoDB does not answer')
    await door.open()
    expect(await untilBack(() => checkpoints.load('reactor'))).toEqual({ position: at(1) })
    await checkpoints.save('reactor', at(2))
    expect(await checkpoints.load('reactor')).toEqual({ position: at(2) })
    await close()
  })

  it('is away for whoever waits while it stands still, and what was sent may be sent again', async () => {
    const { door, mongo, close } = await throughDoor()
    const documents = openDocuments(mongo)
    const view = { name: 'works', version: 1, indexes: [] }
    await documents.prepare([view])
    const write = () =>
      documents.write([{ view, put: [{ id: 'a', text: 'A' }], remove: [], from: null, to: at(1) }])
    door.freeze()
    const frozen = write()
    await expect(mongo.ask(() => mongo.db.command({ ping: 1 }), 200)).rejects.toThrow('no answer for 0.2 s')
    door.thaw()
    await frozen
    await write()
    expect(await documents.checkpoints([view])).toEqual([at(1)])
    expect(await documents.find(view, {})).toEqual([{ id: 'a', text: 'A' }])
    await close()
  })

  it('is away also for those whom no connection is left for', async () => {
    const { door, mongo, close } = await throughDoor()
    door.freeze()
    const calls = Array.from({ length: 30 }, () =>
      mongo
        .ask(() => mongo.db.command({ ping: 1 }), 60_000)
        .then(
          () => null,
          (error: unknown) => error,
        ),
    )
    const first = await Promise.race(calls)
    expect(first).toBeInstanceOf(EngineAway)
    door.thaw()
    await Promise.all(calls)
    await untilBack(() => mongo.ask(() => mongo.db.command({ ping: 1 })))
    await close()
  })

  it.each([1, 2, 3])(
    'ends a batch that was cut off after %i answers when it is sent again',
    async (cutAt) => {
      const { door, mongo, close } = await throughDoor()
      const documents = openDocuments(mongo)
      const views = ['one', 'two'].map((name) => ({ name, version: 1, indexes: [['n']] }))
      await documents.prepare(views)
      const batch = (from: number, to: number) =>
        views.map((view) => ({
          view,
          put: Array.from({ length: 50 }, (_, n) => ({ id: `d${n}`, n, to })),
          remove: [`r${to}`],
          from: from === 0 ? null : at(from),
          to: at(to),
        }))
      await documents.write(batch(0, 1))
      let answers = 0
      const inTheMiddle = new Promise<void>((resolve) => {
        mongo.db.client.on('commandSucceeded', () => {
          answers += 1
          if (answers === cutAt) resolve(door.shut())
        })
      })
      const first = documents.write(batch(1, 2)).then(
        () => 'done',
        (error: unknown) => error,
      )
      await Promise.race([inTheMiddle, first])
      const end = await first
      if (end !== 'done') expect(end).toBeInstanceOf(EngineAway)
      await door.shut()
      await door.open()
      await untilBack(() => documents.write(batch(1, 2)))
      expect(await documents.checkpoints(views)).toEqual([at(2), at(2)])
      for (const view of views) {
        const found = await documents.find<{ id: string; to: number }>(view, {})
        expect(found).toHaveLength(50)
        expect(new Set(found.map(({ to }) => to))).toEqual(new Set([2]))
      }
      await close()
    },
  )

  describe('what is kept there', () => {
    it('is refused when a newer Atelier wrote it', async () => {
      const namespace = fresh()
      const site = await openSite({ namespace })
      await site.close()
      const mongo = await connect({ namespace })
      await mongo
        .collection<{ _id: string; version: number }>('about')
        .updateOne({ _id: 'data' }, { $set: { version: 99 } })
      await mongo.close()
      await expect(openSite({ namespace })).rejects.toThrow(NewerData)
      await expect(openSite({ namespace })).rejects.toThrow(/start the newer version/)
    })

    it('is kept apart by namespace, also from a site without one', async () => {
      const [none, one] = [await openSite({ namespace: '' }), await openSite({ namespace: 'one' })]
      await none.effects.started('key', 'none')
      await one.files.put('originals/a', Buffer.from('a'))
      expect(await one.effects.find('key')).toBeNull()
      expect(await none.files.list('')).toEqual([])
      await none.close()
      await one.close()
    })

    it('is sealed under one secret: another one is refused, at the start and before the first key', async () => {
      const namespace = fresh()
      const early = await openSite({ namespace, secret: 'another secret of 32 characters!!' })
      const site = await openSite({ namespace, secret })
      await site.keyVault.seal('message-1', 'text')
      await expect(early.keyVault.seal('message-2', 'text')).rejects.toThrow(SecretMismatch)
      await expect(openSite({ namespace, secret: 'another secret of 32 characters!!' })).rejects.toThrow(
        SecretMismatch,
      )
      await site.close()
      await early.close()
    })

    it('counts as kept where a majority has it: what one server alone has may be gone with it', async () => {
      const mongo = await connect({ url: watched(url), namespace: fresh() })
      await checkDataVersion(mongo)
      const vault = await openKeyVault(mongo, secret)
      const files = await openFiles(mongo, systemClock)
      const keep = async (): Promise<void> => {
        await vault.seal('message-1', 'text')
        await files.put('originals/a', new Uint8Array([1]))
      }
      await keep()
      const commands: CommandStartedEvent[] = []
      mongo.db.client.on('commandStarted', (event) => commands.push(event))
      await keep()
      const found = commands.filter(({ commandName }) => commandName === 'find').map(({ command }) => command)
      const byMajority = found.filter(({ readConcern }) => readConcern?.level === 'majority')
      expect(byMajority.map(({ find }) => find)).toEqual(['keys', 'files.files'].map(mongo.nameOf))
      await mongo.close()
    })

    it('holds nothing of a key that was erased, and says so only when it is on the disks of a majority', async () => {
      const mongo = await connect({ url: watched(url), namespace: fresh() })
      await checkDataVersion(mongo)
      const vault = await openKeyVault(mongo, secret)
      await vault.seal('message-1', 'text')
      const commands: CommandStartedEvent[] = []
      mongo.db.client.on('commandStarted', (event) => commands.push(event))
      await vault.erase('message-1')
      const writes = commands.filter(({ commandName }) =>
        ['update', 'insert', 'delete'].includes(commandName),
      )
      expect(writes.length).toBeGreaterThan(0)
      for (const { command } of writes) expect(command.writeConcern).toMatchObject({ w: 'majority', j: true })
      expect(await mongo.collection('keys').find({}).toArray()).toEqual([{ _id: 'message-1', erased: true }])
      await mongo.close()
    })
  })
})
