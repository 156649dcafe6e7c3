import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { neededOriginals } from '#application/images/lacking.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import { systemClock } from '../clock.ts'
import { someEvent } from '../testing/contracts/some-events.ts'
import { type Embedded, openEmbedded } from '../embedded/testing/open-embedded.ts'
import { createLog } from '../log/log.ts'
import { keptArchives } from './kept-archives.ts'
import { backUpNightly, type NightOptions } from './nightly.ts'

/** What the last time was finished. */
const last = '2026-11-20T02:05:00.000Z'
const odd = 'atelier-20261109T020000Z.tar'

describe('a night', () => {
  let root: string
  let folder: string
  let site: Embedded
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'atelier-nights-'))
    folder = join(root, 'backups')
    await mkdir(folder)
    const dataDir = join(root, 'data')
    site = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: createLog('silent') })
    await site.eventStore.append('artwork-1', 'no-stream', [{ ...someEvent(1), data: { from: 1, to: 2 } }])
  })
  afterEach(async () => {
    await site.close()
    await rm(root, { recursive: true })
  })

  const night = (day: number, more: Partial<NightOptions> = {}) =>
    backUpNightly(site, folder, {
      version: '1.2.3',
      createdAt: `2026-11-${day}T02:00:00.000Z`,
      signal: new AbortController().signal,
      needed: neededOriginals,
      neededKeys: neededMessageKeys,
      eraseAgain: null,
      ...more,
    })
  const archives = async () => (await readdir(folder)).filter((name) => name.endsWith('.tar'))

  /** A header that claims more than a process can hold: reading so much ended it. */
  const claimsMuch = (): Buffer => {
    const header = Buffer.alloc(2_048)
    header.write('manifest.json', 0)
    header.write('77777777777', 124)
    return header
  }

  it.each([
    ['a folder, such as an archive that was unpacked', (path: string) => mkdir(path)],
    ['a pipe', (path: string) => Promise.resolve(execFileSync('mkfifo', [path]))],
    ['one that is no archive', (path: string) => writeFile(path, 'x'.repeat(10_000))],
    ['one whose header is damaged', (path: string) => writeFile(path, claimsMuch())],
  ])('is backed up beside %s', async (_, lay) => {
    await lay(join(folder, odd))
    expect((await night(21)).complaint).toBeNull()
    for (let day = 22; day < 30; day += 1) expect((await night(day)).complaint).toBeNull()
    const kept = (await archives()).filter((name) => name !== odd)
    expect(kept.length).toBeGreaterThanOrEqual(6)
    expect(kept).toContain('atelier-20261129T020000Z.tar')
    expect(kept).not.toContain('atelier-20261121T020000Z.tar')
  })

  it.each([
    ['leads nowhere', '/not-mounted/site.tar'],
    ['leads to itself', odd],
  ])('names an archive whose link %s, and lets nothing go that may be less', async (_, target) => {
    await symlink(target, join(folder, odd))
    for (let day = 11; day < 20; day += 1) {
      const { complaint } = await night(day)
      expect(complaint).toContain(`${join(folder, odd)} cannot be read`)
    }
    expect(await archives()).toHaveLength(10)
    await rm(join(folder, odd))
    expect((await night(20)).complaint).toBeNull()
    expect(await archives()).toHaveLength(7)
  })

  it('is looked at later without the names of its files, which may be half a million', async () => {
    await night(21)
    const [{ manifest } = { manifest: null }] = (await keptArchives(folder)).archives
    expect(manifest).toEqual({
      createdAt: '2026-11-21T02:00:00.000Z',
      counts: { events: 1, files: 0, accounts: 0 },
    })
  })

  it.each(['2025-01-01', '2031-01-01'])(
    'made while a clock said %s is known by what it holds',
    async (day) => {
      const grow = async (n: number) =>
        site.eventStore.append(`artwork-${n}`, 'no-stream', [{ ...someEvent(n), data: { from: 1, to: 2 } }])
      const daysKept = async () =>
        (await keptArchives(folder)).archives.map(({ manifest }) => manifest.createdAt.slice(0, 10))
      await night(21)
      await grow(2)
      await night(22, { createdAt: `${day}T02:00:00.000Z` })
      expect(await daysKept()).toEqual([day, '2026-11-21'])
      await grow(3)
      await night(23)
      expect(await daysKept()).toEqual(['2026-11-23', day, '2026-11-21'])
    },
  )

  it('passes over a keys file that is a folder or a pipe', async () => {
    await mkdir(join(folder, `${odd}.keys`))
    execFileSync('mkfifo', [join(folder, 'atelier-20261108T020000Z.tar.keys')])
    expect((await night(21)).complaint).toBeNull()
  })

  it('says so when those before it are gone, as from a disk that is not mounted', async () => {
    expect((await night(20, { last: null })).complaint).toBeNull()
    expect((await night(21, { last })).complaint).toBeNull()
    await rm(folder, { recursive: true })
    expect((await night(22, { last })).complaint).toContain(`The backup of ${last} is not in ${folder}`)
    expect((await night(23, { last })).complaint).toBeNull()
  })
})
