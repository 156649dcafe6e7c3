import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { SecretMismatch } from '../key-vault/sealing.ts'
import { someEvent } from '../testing/contracts/some-events.ts'
import { DataFolderInUse } from './data-folder.ts'
import { NewerData } from '../newer-data.ts'
import { markFile } from './log-mark-file.ts'
import { openEmbedded } from './testing/open-embedded.ts'
import { dataVersion } from './schema.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const clock = { now: () => new Date(), newId: () => crypto.randomUUID() }
const given = 'a secret of thirty-two characters'

describe('the data folder', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = join(await mkdtemp(join(tmpdir(), 'atelier-data-')), 'data')
  })
  afterEach(async () => rm(join(dataDir, '..'), { recursive: true }))

  const open = (secret: string | null = given) => openEmbedded({ dataDir, secret, clock, log: silent })

  it('is made on the first start, for its owner alone, and opens again after closing', async () => {
    const first = await open()
    await first.eventStore.append('artwork-1', 'no-stream', [someEvent(1)])
    await first.close()
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    const second = await open()
    expect(await second.eventStore.readStream('artwork-1', 0)).toHaveLength(1)
    await second.close()
  })

  it('is for its owner only, with all that lies in it, also where it was there before', async () => {
    await (await open()).close()
    const image = join(dataDir, 'originals', 'aa', 'picture')
    await mkdir(dirname(image), { recursive: true })
    await writeFile(image, 'picture')
    const outside = join(dirname(dataDir), 'outside')
    await writeFile(outside, 'not ours')
    await symlink(outside, join(dataDir, 'link'))
    const paths = [
      dataDir,
      ...(await readdir(dataDir, { recursive: true })).map((name) => join(dataDir, name)),
    ]
    const kept = paths.filter((path) => !path.endsWith('link'))
    for (const path of kept) await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644)
    await chmod(outside, 0o644)
    await (await open()).close()
    for (const path of kept) {
      const found = await lstat(path).catch(() => null)
      if (found !== null) expect(`${path} ${(found.mode & 0o077).toString(8)}`).toBe(`${path} 0`)
    }
    expect((await stat(image)).mode & 0o777).toBe(0o600)
    expect((await stat(outside)).mode & 0o777).toBe(0o644)
  })

  it.each(['html', 'scratch'])(
    'is not made of a folder with %s in it, which stays as it is',
    async (name) => {
      const site = join(dataDir, name)
      await mkdir(site, { recursive: true })
      await writeFile(join(site, 'index.html'), 'of another program')
      for (const path of [dataDir, site, join(site, 'index.html')]) await chmod(path, 0o755)
      await expect(open()).rejects.toThrow(
        `holds other things than a site, as ${name}: set DATA_DIR to a folder of its own`,
      )
      for (const path of [dataDir, site, join(site, 'index.html')])
        expect((await stat(path)).mode & 0o777).toBe(0o755)
      expect(await readdir(dataDir)).toEqual([name])
    },
  )

  it.each(['lost+found', '.gitkeep', 'backups', 'processes', 'site.tar.keys'])(
    'is made beside %s',
    async (name) => {
      await mkdir(join(dataDir, name), { recursive: true })
      await (await open()).close()
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    },
  )

  it('belongs to one server: a second one is refused in words', async () => {
    const first = await open()
    await expect(open()).rejects.toBeInstanceOf(DataFolderInUse)
    await expect(open()).rejects.toThrow(
      `${dataDir} is in use by another Atelier, a server or an operator’s command: stop that one`,
    )
    // the refusal must not have lifted the lock
    await expect(open()).rejects.toBeInstanceOf(DataFolderInUse)
    await first.close()
    await (await open()).close()
  })

  it('can be read beside the server that holds it, and not changed', async () => {
    const server = await open()
    await server.eventStore.append('artwork-1', 'no-stream', [someEvent(1)])
    const sealed = await server.keyVault.seal('message-1', 'text')
    const reader = await openEmbedded({ dataDir, secret: given, clock, log: silent, access: 'read' })
    await server.eventStore.append('artwork-1', 0, [someEvent(2)])
    expect(await reader.eventStore.readStream('artwork-1', 0)).toHaveLength(2)
    expect(await reader.keyVault.open('message-1', sealed)).toBe('text')
    await expect(reader.eventStore.append('artwork-1', 1, [someEvent(3)])).rejects.toBeInstanceOf(EngineAway)
    await reader.close()
    await server.close()
    const alone = await openEmbedded({ dataDir, secret: given, clock, log: silent, access: 'read' })
    expect(await alone.eventStore.readStream('artwork-1', 0)).toHaveLength(2)
    await alone.close()
  })

  it('is free again as soon as its server was killed', async () => {
    const program = join(import.meta.dirname, 'testing', 'writing-process.ts')
    const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await expect(open(null)).rejects.toBeInstanceOf(DataFolderInUse)
    child.stdout.resume()
    child.kill('SIGKILL')
    await once(child, 'exit')
    await (await open(null)).close()
  })

  it('keeps a secret of its own when none is set, readable for its owner alone', async () => {
    const first = await open(null)
    const { secret } = first
    await first.close()
    expect(secret.length).toBeGreaterThanOrEqual(32)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    expect((await readFile(join(dataDir, 'secret'), 'utf8')).trim()).toBe(secret)
    const second = await open(null)
    expect(second.secret).toBe(secret)
    await second.close()
  })

  it('is refused while the disk of its pictures is not mounted, and goes on once they are said to be lost', async () => {
    const first = await open()
    await first.eventStore.append('artwork-1', 'no-stream', [someEvent(1)])
    await first.files.put('originals/one', Buffer.from('one'))
    await first.close()
    const [files, disk] = [join(dataDir, 'files'), join(dataDir, '..', 'disk')]
    await rename(files, disk)
    // What every disk has of itself.
    await mkdir(join(files, 'lost+found'), { recursive: true })
    await expect(open()).rejects.toThrow(`${files} is empty, although there is a site`)
    const moving = { dataDir, secret: given, clock, log: silent, access: 'read any form' } as const
    await expect(openEmbedded(moving)).rejects.toThrow(`${files} is empty`)
    expect(await readdir(files)).toEqual(['lost+found'])
    await mkdir(join(files, 'originals'))
    const without = await open()
    expect(await without.files.size('originals/one')).toBeNull()
    await without.close()
    await rm(files, { recursive: true })
    await rename(disk, files)
    const mounted = await open()
    expect(await mounted.files.size('originals/one')).toBe(3)
    await mounted.close()
  })

  it('is refused without its secret once there is a site, and no other one is made', async () => {
    const first = await open(null)
    await first.eventStore.append('artwork-1', 'no-stream', [someEvent(1)])
    await first.close()
    await rm(join(dataDir, 'secret'))
    await expect(open(null)).rejects.toThrow('secret is missing, although there is a site')
    expect(await readdir(dataDir)).not.toContain('secret')
    await (await open(first.secret)).close()
  })

  it('keeps no secret when one is set', async () => {
    const opened = await open()
    expect(opened.secret).toBe(given)
    await opened.close()
    expect(await readdir(dataDir)).not.toContain('secret')
  })

  it.each([
    ['secret', () => open(null)],
    ['log.mark', () => markFile(dataDir, 'embedded').read()],
  ])(
    'is refused where a named pipe stands in the place of %s, without a wait for its other end',
    async (name, read) => {
      await mkdir(dataDir)
      execFileSync('mkfifo', [join(dataDir, name)])
      // Reading it would wait in this thread, where no timeout of a test can end it.
      const writer = spawn('sh', ['-c', `sleep 20; : > ${name}`], { cwd: dataDir })
      try {
        await expect(read()).rejects.toThrow('a folder where a file belongs: move it away')
      } finally {
        writer.kill('SIGKILL')
      }
    },
  )

  it('is refused when its secret was cut short, and is free again', async () => {
    await (await open(null)).close()
    await writeFile(join(dataDir, 'secret'), 'short')
    await expect(open(null)).rejects.toThrow(/holds no whole secret: .* Where that is lost, restore/)
    await (await open()).close()
  })

  it('is refused under another secret than its messages were sealed with, and is free again', async () => {
    const first = await open()
    await first.keyVault.seal('message-1', 'text')
    await first.close()
    await expect(open('another secret of 32 characters!!')).rejects.toBeInstanceOf(SecretMismatch)
    expect(new SecretMismatch().message).toMatch(
      /^SECRET, or the file secret in DATA_DIR .* restore the newest backup/,
    )
    await (await open()).close()
  })

  it('is refused when a newer version wrote it, untouched and in words', async () => {
    await (await open()).close()
    const path = join(dataDir, 'atelier.db')
    const newer = new DatabaseSync(path)
    newer.exec(`PRAGMA user_version = ${dataVersion + 1}`)
    newer.close()
    await expect(open()).rejects.toBeInstanceOf(NewerData)
    await expect(open()).rejects.toThrow('written by a newer Atelier')
    const after = new DatabaseSync(path)
    expect(after.prepare('PRAGMA user_version').get()?.['user_version']).toBe(dataVersion + 1)
    after.close()
  })

  it('is refused in words where no folder can be made', async () => {
    await writeFile(join(dataDir, '..', 'file'), '')
    const blocked = openEmbedded({
      dataDir: join(dataDir, '..', 'file', 'data'),
      secret: given,
      clock,
      log: silent,
    })
    await expect(blocked).rejects.toThrow('cannot be made: check DATA_DIR')
  })

  it('is refused in words when its file is no database', async () => {
    await (await open()).close()
    await writeFile(join(dataDir, 'atelier.db'), 'x'.repeat(5_000))
    await expect(open()).rejects.toThrow('atelier.db is damaged')
  })

  it('is refused in words when a page is damaged that it is looked into by', async () => {
    await (await open()).close()
    const path = join(dataDir, 'atelier.db')
    const data = new DatabaseSync(path)
    const number = (text: string): number => Number(Object.values(data.prepare(text).get() ?? {})[0])
    const page = number("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_events_1'")
    const size = number('PRAGMA page_size')
    data.close()
    const bytes = await readFile(path)
    await writeFile(path, bytes.fill(0, (page - 1) * size, page * size))
    await expect(open()).rejects.toThrow('atelier.db is damaged')
  })

  it('is refused when its lock is no database, which holds nothing that a backup would bring back', async () => {
    await (await open()).close()
    await writeFile(join(dataDir, 'lock.db'), 'no lock'.repeat(1_000))
    await expect(open()).rejects.toThrow(
      `${join(dataDir, 'lock.db')} is damaged. It holds nothing: remove it`,
    )
    await rm(join(dataDir, 'lock.db'))
    await (await open()).close()
  })

  it('tells how many bytes are free', async () => {
    const opened = await open()
    expect(await opened.freeBytes()).toBeGreaterThan(0)
    await opened.close()
  })

  it('answers as away once it is closed', async () => {
    const opened = await open()
    await opened.close()
    await opened.close()
    await expect(opened.accounts.count()).rejects.toBeInstanceOf(EngineAway)
    await expect(
      opened.documents.checkpoints([{ name: 'v', version: 1, indexes: [] }]),
    ).rejects.toBeInstanceOf(EngineAway)
  })
})
