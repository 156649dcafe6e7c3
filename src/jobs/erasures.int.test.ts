import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it, vi } from 'vitest'
import { UnreadableEvent } from '#application/kernel/codec.ts'
import { eraseMessage, receiveMessage } from '#application/messages/messages.ts'
import { ownerCommand, testApplication } from '#application/testing/application.ts'
import { messageAggregate } from '#domain/messages/message.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { startErasures } from '#jobs/erasures.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

const input = {
  name: 'A',
  email: 'a@example.org',
  message: 'Hello',
  subject: 'general',
  artworkId: null,
} as const

/** A site whose keys are kept for real. */
const withVault = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atelier-erasures-'))
  endings.push(() => rm(dataDir, { recursive: true }))
  const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: quiet })
  endings.push(() => engines.close())
  return { dataDir, engines, app: { ...testApplication().app, keyVault: engines.keyVault } }
}

it('erases again what the log calls erased when an older copy of the keys is put back, at the start and later', async () => {
  const { dataDir, engines, app } = await withVault()
  const { id } = await receiveMessage(app, input, ownerCommand())
  const { id: kept } = await receiveMessage(app, input, ownerCommand())

  const file = new DatabaseSync(join(dataDir, 'atelier.db'))
  endings.push(async () => file.close())
  const older = file.prepare('SELECT wrapped FROM vault_keys WHERE subject_id = ?').get(id)?.['wrapped']
  const putBack = (): void => {
    file
      .prepare('UPDATE vault_keys SET wrapped = ?, erased = 0 WHERE subject_id = ?')
      .run(older as Uint8Array, id) // a BLOB column
  }
  const held = async () => (await engines.keyVault.takeOut()).keys.map(({ subjectId }) => subjectId)

  await eraseMessage(app, id, null, ownerCommand())
  putBack()
  expect(await held()).toEqual([id, kept])
  const forget = vi.fn<(ids: readonly string[]) => Promise<boolean>>(async () => true)
  const running = startErasures({
    app,
    unfinished: async () => [],
    forget,
    log: quiet,
    everyMs: 5,
  })
  endings.push(running.stop)
  await vi.waitFor(async () => expect(await held()).toEqual([kept]), { timeout: 60_000 })

  // It has compared the two to the end.
  await vi.waitFor(() => expect(forget).toHaveBeenCalledWith([id], expect.any(AbortSignal)), {
    timeout: 60_000,
  })
  putBack()
  await vi.waitFor(async () => expect(await held()).toEqual([kept]), { timeout: 60_000 })
})

it('ends an erasure that is open though a backup cannot be looked into', async () => {
  const { app } = await withVault()
  const { id } = await receiveMessage(app, input, ownerCommand())
  await app.keyVault.erase(id)
  const stillListed = async (): Promise<boolean> =>
    (await app.executor.load(messageAggregate(id))).status === 'present'
  const running = startErasures({
    app,
    unfinished: async () => ((await stillListed()) ? [id] : []),
    forget: () => Promise.reject(new Error('EACCES: permission denied')),
    log: quiet,
    everyMs: 5,
  })
  endings.push(running.stop)
  await vi.waitFor(async () => expect(await stillListed()).toBe(false), { timeout: 60_000 })
})

it('ends the erasures of others beside a letter of which something has rotted, and lets the keys files forget them', async () => {
  const { app } = await withVault()
  const { id: rotted } = await receiveMessage(app, input, ownerCommand())
  const { id } = await receiveMessage(app, input, ownerCommand())
  const executor: typeof app.executor = {
    ...app.executor,
    load: (aggregate) =>
      aggregate.stream === messageAggregate(rotted).stream
        ? Promise.reject(new UnreadableEvent('MessageReceived version 1: damaged'))
        : app.executor.load(aggregate),
  }
  await app.keyVault.erase(id)
  const isListed = async (): Promise<boolean> =>
    (await app.executor.load(messageAggregate(id))).status === 'present'
  const forget = vi.fn<() => Promise<boolean>>(async () => true)
  const running = startErasures({
    app: { ...app, executor },
    unfinished: async () => [rotted, ...((await isListed()) ? [id] : [])],
    forget,
    log: quiet,
    everyMs: 5,
  })
  endings.push(running.stop)
  await vi.waitFor(async () => expect(await isListed()).toBe(false), { timeout: 60_000 })
  await vi.waitFor(() => expect(forget).toHaveBeenCalled(), { timeout: 60_000 })
})

it('says once what is in its way, and that nothing is any more', async () => {
  const { app } = await withVault()
  const { id } = await receiveMessage(app, input, ownerCommand())
  await app.keyVault.erase(id)
  const warn = vi.fn<(context: object, message: string) => void>()
  const info = vi.fn<(context: object, message: string) => void>()
  const forget = vi.fn<() => Promise<boolean>>(() => Promise.reject(new Error('EACCES: permission denied')))
  const running = startErasures({ app, unfinished: async () => [], forget, log: { warn, info }, everyMs: 5 })
  endings.push(running.stop)
  await vi.waitFor(() => expect(forget.mock.calls.length).toBeGreaterThan(3), { timeout: 60_000 })
  expect(warn).toHaveBeenCalledTimes(1)
  expect(info).not.toHaveBeenCalled()
  forget.mockResolvedValue(true)
  await vi.waitFor(() => expect(info).toHaveBeenCalledTimes(1), { timeout: 60_000 })
  await running.stop()
  expect([warn, info].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

it('looks once more a while after all is settled, and then no more', async () => {
  const { app } = await withVault()
  const { id } = await receiveMessage(app, input, ownerCommand())
  await app.keyVault.erase(id)
  const forget = vi.fn<(ids: readonly string[], signal: AbortSignal) => Promise<boolean>>(async () => true)
  let looks = 0
  const keyVault = {
    ...app.keyVault,
    erasedIds: () => {
      looks += 1
      return app.keyVault.erasedIds()
    },
  }
  const running = startErasures({
    app: { ...app, keyVault },
    unfinished: async () => [],
    forget,
    log: quiet,
    everyMs: 5,
    onceMoreMs: 50,
  })
  await vi.waitFor(() => expect(forget).toHaveBeenCalledTimes(2), { timeout: 60_000 })
  const before = looks
  await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 3), { timeout: 60_000 })
  expect(forget).toHaveBeenCalledTimes(2)
  await running.stop()
  expect(forget.mock.calls.at(-1)?.[1].aborted).toBe(true)
})
