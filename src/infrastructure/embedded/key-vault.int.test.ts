import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keyVaultContract } from '../testing/contracts/key-vault.contract.ts'
import { SecretMismatch } from '../key-vault/sealing.ts'
import { openDatabase, type Database } from './database.ts'
import { openKeyVault } from './key-vault.ts'

const secret = 'a secret of thirty-two characters'

const open = async (secretHere = secret) => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-vault-'))
  const path = join(folder, 'atelier.db')
  const database = openDatabase(path)
  const close = async () => {
    database.close()
    await rm(folder, { recursive: true })
  }
  return { path, database, keyVault: openKeyVault(database, secretHere), close }
}

keyVaultContract(
  'embedded',
  () => open(),
  () => open('another secret of thirty-two characters'),
)

describe('the embedded key vault', () => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(async () => opened.close())

  const wrappedKey = (database: Database, subjectId: string): Buffer =>
    Buffer.from(
      database.sql('SELECT wrapped FROM vault_keys WHERE subject_id = ?').get(subjectId)?.[
        'wrapped'
      ] as Uint8Array, // a BLOB column
    )

  /** How often the bytes stand in any file of the database. */
  const traces = (path: string, bytes: Buffer): number =>
    [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]
      .filter((file) => existsSync(file))
      .filter((file) => readFileSync(file).includes(bytes)).length

  it('lets others have their turn while many keys are taken out', async () => {
    const { keyVault } = opened
    const keys = Array.from({ length: 2_000 }, (_, n) => ({ subjectId: `m${n}`, key: randomBytes(32) }))
    await keyVault.putBack({ keys, erasedIds: [] })
    let turns = 0
    const counting = setInterval(() => (turns += 1), 0)
    expect((await keyVault.takeOut()).keys).toHaveLength(keys.length)
    clearInterval(counting)
    expect(turns).toBeGreaterThan(0)
  })

  it('takes all other keys out where one is damaged, which opens nothing any more', async () => {
    const { keyVault, database } = opened
    const sealed = await keyVault.seal('damaged', 'text')
    await keyVault.seal('whole', 'text')
    const other = randomBytes(wrappedKey(database, 'damaged').length)
    database.sql('UPDATE vault_keys SET wrapped = ? WHERE subject_id = ?').run(other, 'damaged')
    expect((await keyVault.takeOut()).keys.map(({ subjectId }) => subjectId)).toEqual(['whole'])
    expect(await keyVault.openMany([{ subjectId: 'damaged', sealed }])).toEqual([null])
  })

  it('leaves no trace of an erased key in any file, also after many others came and went', async () => {
    const { keyVault, database, path } = opened
    const subjects = Array.from({ length: 150 }, (_, n) => `message-${n}`)
    for (const subject of subjects) await keyVault.seal(subject, 'text')
    const keys = new Map(subjects.map((subject) => [subject, wrappedKey(database, subject)]))
    for (const key of keys.values()) expect(traces(path, key)).toBeGreaterThan(0)
    for (const [n, subject] of subjects.entries()) {
      if (n % 3 === 0) continue
      await keyVault.erase(subject)
      if (n % 50 === 1) await keyVault.seal(`late-${n}`, 'text')
    }
    const kept = subjects.filter((subject) => traces(path, keys.get(subject)!) > 0)
    expect(kept).toEqual(subjects.filter((_, n) => n % 3 === 0))
  })

  it('makes the key durable before it answers with a sealed text', async () => {
    const { database } = opened
    const asked: string[] = []
    const watched: Database = {
      ...database,
      transaction: (durability, work) => {
        asked.push(durability)
        return database.transaction(durability, work)
      },
    }
    await openKeyVault(watched, secret).seal('message-1', 'text')
    expect(asked).toEqual(['durable'])
  })

  it('waits for another program that reads the file, and erases wholly when it has ended', async () => {
    const { keyVault, database, path } = opened
    const sealed = await keyVault.seal('message-1', 'text')
    const key = wrappedKey(database, 'message-1')
    const reader = new DatabaseSync(path)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM vault_keys').get()
    let over = false
    const erasing = keyVault.erase('message-1').then(() => {
      over = true
    })
    // gone for everybody at once, but not yet without a trace
    expect(await keyVault.open('message-1', sealed)).toBeNull()
    expect(over).toBe(false)
    expect(traces(path, key)).toBeGreaterThan(0)
    reader.exec('COMMIT')
    reader.close()
    await erasing
    expect(traces(path, key)).toBe(0)
  })

  it('says that a trace is left while another program reads on, and that none is when it has ended', async () => {
    const { keyVault, database, path } = opened
    const sealed = await keyVault.seal('message-1', 'text')
    const key = wrappedKey(database, 'message-1')
    const reader = new DatabaseSync(path)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM vault_keys').get()
    expect(await keyVault.erase('message-1')).toBe(false)
    expect(await keyVault.open('message-1', sealed)).toBeNull()
    reader.exec('COMMIT')
    reader.close()
    expect(await keyVault.erase('message-1')).toBe(true)
    expect(traces(path, key)).toBe(0)
  })

  it('is refused under another secret once it holds a key, in words', async () => {
    const { keyVault, database } = opened
    const other = 'another secret of 32 characters!!'
    expect(() => openKeyVault(database, other)).not.toThrow()
    await keyVault.seal('message-1', 'text')
    expect(() => openKeyVault(database, other)).toThrow(SecretMismatch)
    expect(() => openKeyVault(database, other)).toThrow(/start with the former one/)
    expect(() => openKeyVault(database, secret)).not.toThrow()
  })
})
