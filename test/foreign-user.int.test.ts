import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { password, startSite } from './support/site.ts'

const root = join(import.meta.dirname, '..')
const [main, cli] = [join(root, 'src/main.ts'), join(root, 'src/cli.ts')]

/** Nobody keeps root from anything: there the site is run as somebody else. */
const isRoot = process.getuid?.() === 0
const nobody = 65_534
const user = isRoot ? { uid: nobody, gid: nobody } : {}
const noOther =
  spawnSync(process.execPath, [cli, '--help'], { ...user, cwd: tmpdir() }).status === 0
    ? null
    : 'this user cannot run the site as another one'

describe.skipIf(noOther !== null)(`a data folder that is not the user's own${noOther ?? ''}`, () => {
  const home = mkdtempSync(join(tmpdir(), 'atelier-foreign-'))
  const [whole, dataDir] = [join(home, 'whole'), join(home, 'data')]

  const own = (path: string): void => {
    if (isRoot) lchownSync(path, nobody, nobody)
  }
  const ownAll = (folder: string): void => {
    own(folder)
    for (const name of readdirSync(folder, { recursive: true })) own(join(folder, String(name)))
  }

  beforeAll(async () => {
    own(home)
    await (await startSite({ dataDir: whole })).stop()
    mkdirSync(join(whole, 'files', 'originals'))
    writeFileSync(join(whole, 'files', 'originals', 'a'), 'a picture', { mode: 0o600 })
  })
  afterAll(() => rmSync(home, { recursive: true }))

  const run = async (
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) => {
    const child = spawn(process.execPath, [program, ...args], {
      ...user,
      // One that starts all the same would stay.
      timeout: 60_000,
      // Not where this repository may have a .env of its own.
      cwd: home,
      env: {
        PATH: process.env['PATH'],
        // The program's own folder for compiled code is not this user's: without one each start takes three times as long.
        NODE_COMPILE_CACHE: join(home, 'compiled'),
        DATA_DIR: dataDir,
        PORT: String(await freePort()),
        SAMPLES: 'off',
        ADMIN_PASSWORD: password,
        LOG_LEVEL: 'silent',
        ...env,
      },
    })
    const [output, errors, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ])
    return { code, said: output + errors }
  }

  /** A whole site, in which one place has these rights only. */
  const withRights = (name: string, mode: number): void => {
    if (existsSync(dataDir)) {
      chmodSync(join(dataDir, ''), 0o700)
      rmSync(dataDir, { recursive: true })
    }
    cpSync(whole, dataDir, { recursive: true })
    ownAll(dataDir)
    chmodSync(join(dataDir, name), mode)
  }

  const raw = /\bE[A-Z]{4,}\b/

  it.each([
    ['the folder', '', 0o000],
    ['the folder, read-only', '', 0o500],
    ['the data file', 'atelier.db', 0o000],
    ['the data file, read-only', 'atelier.db', 0o400],
    ['the secret', 'secret', 0o000],
    ['the lock', 'lock.db', 0o000],
    ['the mark', 'log.mark', 0o000],
    ['the mark, read-only', 'log.mark', 0o400],
    ['the reserve', 'reserve', 0o000],
    ['the files', 'files', 0o500],
    ['the originals', 'files/originals', 0o500],
    ['the scratch folder', 'scratch', 0o000],
  ] as const)('is named with an advice: %s', async (_, name, mode) => {
    withRights(name, mode)
    const words = new RegExp(`${join(dataDir, name)}\\S* may not be used by the user .*chown`)
    // What every command says comes from the same places: one of them stands for all.
    const all = [[main], [cli, 'doctor'], [cli, 'jobs', 'list']] as const
    // One after the other: each may hold the lock for the moment in which it finds the place.
    for (const [program, ...args] of all) {
      const { code, said } = await run(program, args)
      expect([code, said]).toEqual([1, expect.stringMatching(words)])
      expect(said).not.toMatch(raw)
    }
  })

  it.each([
    ['a folder as the data file', 'atelier.db', 'folder'],
    ['a folder as the secret', 'secret', 'folder'],
    ['a folder as the mark', 'log.mark', 'folder'],
    ['a file as the scratch folder', 'scratch', 'file'],
    ['a file as the files', 'files', 'file'],
  ] as const)('names what is of another kind: %s', async (_, name, kind) => {
    withRights(name, 0o700)
    const place = join(dataDir, name)
    rmSync(place, { recursive: true })
    if (kind === 'folder') mkdirSync(place)
    else writeFileSync(place, '')
    own(place)
    for (const [program, ...args] of [[main], [cli, 'doctor']] as const) {
      const { code, said } = await run(program, args)
      expect([code, said]).toEqual([1, expect.stringContaining(`${place} is a f`)])
      expect(said).not.toMatch(raw)
    }
  })

  it('is not said to be well where a picture may not be read, which no backup leaves out unsaid', async () => {
    const image = 'files/originals/a'
    withRights(image, 0o000)
    const looked = await run(cli, ['doctor'])
    const backedUp = await run(cli, ['backup', join(home, 'backup.tar')])
    for (const { code, said } of [looked, backedUp])
      expect([code, said]).toEqual([1, expect.stringContaining(`${join(dataDir, image)} may not`)])
    expect(existsSync(join(home, 'backup.tar'))).toBe(false)
  })

  it('says what is wrong with the folder of the backups, and leaves nothing in it', async () => {
    withRights('', 0o700)
    const backups = join(home, 'backups')
    mkdirSync(backups)
    own(backups)
    expect((await run(cli, ['doctor'], { BACKUP_DIR: backups })).code).toBe(0)
    expect((await run(cli, ['doctor'], { BACKUP_DIR: join(backups, 'still', 'to come') })).code).toBe(0)
    expect(readdirSync(backups)).toEqual([])

    chmodSync(backups, 0o500)
    for (const place of [backups, join(backups, 'below')]) {
      const { code, said } = await run(cli, ['doctor'], { BACKUP_DIR: place })
      expect([code, said]).toEqual([1, expect.stringContaining(`No backup can be made: ${backups} may not`)])
    }
    const link = join(home, 'linked')
    symlinkSync(backups, link)
    const linked = await run(cli, ['doctor'], { BACKUP_DIR: link })
    expect([linked.code, linked.said]).toEqual([
      1,
      expect.stringContaining(`No backup can be made: ${link} may not`),
    ])
    const file = join(dataDir, 'secret')
    const { code, said } = await run(cli, ['doctor'], { BACKUP_DIR: file })
    expect([code, said]).toEqual([1, expect.stringContaining(`No backup can be made: ${file} is a f`)])
  })
})
