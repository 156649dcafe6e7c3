import { hash as digest, randomBytes } from 'node:crypto'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { neededOriginals } from '#application/images/lacking.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import type { NewEvent } from '#application/kernel/ports/event-store.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { type Embedded, openEmbedded } from '../embedded/testing/open-embedded.ts'
import { createLog } from '../log/log.ts'
import type { FillProgress } from './restore.ts'
import { fillingRecord, refuseHalfFilled } from './filling-record.ts'
import { moveSite } from './move.ts'

const original = randomBytes(300_000)
const hash = digest('sha256', original, 'hex')
const { signal } = new AbortController()
const event = (id: number, type: string, data: object): NewEvent => ({
  id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  type,
  schemaVersion: 1,
  occurredAt: '2026-11-25T05:06:07.089Z',
  meta: { correlationId: 'r', causationId: 'c', commandId: 'c', actor: { kind: 'visitor' } },
  data: data as NewEvent['data'], // JSON, as every test here writes it
})
const uploaded = {
  hash,
  format: 'jpeg',
  bytes: 300_000,
  width: 4,
  height: 3,
  placeholder: 'data:image/webp;base64,AA',
  color: '#aabbcc',
}

describe('a site that moves', () => {
  let folder: string
  let from: Embedded
  let to: Embedded
  const open = (name: string): Promise<Embedded> =>
    openEmbedded({ dataDir: join(folder, name), secret: null, clock: systemClock, log: createLog('silent') })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-moving-'))
    from = await open('from')
    to = await open('to')
    await from.eventStore.append(`image-${hash}`, 'no-stream', [event(1, 'ImageUploaded', uploaded)])
    await from.files.put(`originals/${hash}`, original)
    await from.files.put(`images/${hash}/640.avif`, randomBytes(9_000))
    await from.keyVault.seal('m1', 'text')
  })
  afterEach(async () => {
    await from.close()
    await to.close()
    await rm(folder, { recursive: true })
  })

  const move = (onProgress: (progress: FillProgress) => void = () => undefined) =>
    moveSite(from, to, {
      signal,
      createdAt: '2026-11-25T00:00:00.000Z',
      needed: neededOriginals,
      neededKeys: neededMessageKeys,
      onBegin: async () => undefined,
      onEnd: async () => undefined,
      onProgress,
    })
  const cut = (place: string, key: string): void => truncateSync(join(folder, place, 'files', key), 1_000)

  it('is compared with where it comes from: a picture that was cut there is found, and brought again', async () => {
    const cutOnce = ({ what, done }: FillProgress): void => {
      if (what === 'compare' && done === 0) cut('to', `originals/${hash}`)
    }
    await expect(move(cutOnce)).rejects.toThrow(
      `files/originals/${hash} is not what it is where it comes from: check the disk there, then move again`,
    )
    await expect(refuseHalfFilled(to.effects)).rejects.toThrow('run the same "atelier move" again')
    expect(await move()).toMatchObject({ counts: { events: 1, files: 2, keys: 1 }, lacking: [], leftOut: [] })
    await refuseHalfFilled(to.effects)
    expect(await to.files.readableBytes(`originals/${hash}`)).toBe(300_000)
  })

  it('names a picture that was cut where it comes from', async () => {
    cut('from', `originals/${hash}`)
    expect((await move()).lacking).toMatchObject([{ key: `originals/${hash}`, bytes: 300_000, found: 1_000 }])
  })

  it('names a picture that is damaged where it comes from, although it is as long as it was', async () => {
    const path = join(folder, 'from', 'files', 'originals', hash)
    const bytes = readFileSync(path)
    bytes[1_000] = (bytes[1_000] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const { lacking } = await move()
    expect(lacking).toMatchObject([{ key: `originals/${hash}`, bytes: 300_000, found: 300_000 }])
    expect(neededOriginals.inWords(lacking)).toContain('(damaged)')
  })

  it('is not done where the site was written to meanwhile, and then goes on', async () => {
    const written = async (): Promise<unknown> =>
      from.eventStore.append('artwork-1', 'no-stream', [
        event(2, 'ArtworkRetitled', { from: '', to: 'Later' }),
      ])
    const writing: Promise<unknown>[] = []
    const writeOnce = ({ what }: FillProgress): void => {
      if (what === 'compare' && writing.length === 0) writing.push(written())
    }
    await expect(move(writeOnce)).rejects.toThrow('The site was written to while it was brought here')
    await Promise.all(writing)
    await expect(refuseHalfFilled(to.effects)).rejects.toThrow('run the same "atelier move" again')
    expect(await move()).toMatchObject({ counts: { events: 2 } })
  })

  it('goes on where it was broken off, with what has happened since, and brings no picture twice', async () => {
    const stop = ({ what }: FillProgress): void => {
      if (what === 'compare') throw new Error('Stopped.')
    }
    await expect(move(stop)).rejects.toThrow('Stopped.')
    await from.eventStore.append('artwork-1', 'no-stream', [
      event(2, 'ArtworkRetitled', { from: '', to: 'Later' }),
    ])
    await from.keyVault.seal('m2', 'later')
    await from.keyVault.erase('m1')
    const before = await to.files.list('')
    expect(await move()).toMatchObject({ counts: { events: 2, keys: 1 } })
    expect((await to.files.list('')).toSorted()).toEqual(before.toSorted())
    const { keys, erasedIds } = await to.keyVault.takeOut()
    expect([keys.map(({ subjectId }) => subjectId), erasedIds]).toEqual([['m2'], ['m1']])
  })

  it('goes on where one of an earlier version was broken off, which knew it by its first event alone', async () => {
    await fillingRecord('move', to.effects).begin(event(1, '', {}).id)
    expect(await move()).toMatchObject({ counts: { events: 1 } })
    await refuseHalfFilled(to.effects)
  })

  it('begun again after its end says that nothing is left to do', async () => {
    await move()
    await expect(move()).rejects.toThrow(
      /There is a site already .* A move came to its end there: .* nothing is left to do; what the site has had since is not there$/,
    )
  })

  it('takes no place of another site, nor one where a restore was broken off', async () => {
    await to.eventStore.append('artwork-9', 'no-stream', [event(9, 'ArtworkRetitled', { from: '', to: 'x' })])
    await expect(move()).rejects.toThrow(/There is a site already where this one would move to.*\)$/)
    await fillingRecord('restore', to.effects).begin('of a backup')
    await expect(move()).rejects.toThrow('run the same "atelier restore" again')
    await fillingRecord('move', to.effects).begin('of another site')
    await expect(move()).rejects.toThrow('A move of another site was broken off there')
  })

  it('takes no place where the move of another site was broken off among its pictures, and says the way on', async () => {
    const stop = ({ what }: FillProgress): void => {
      if (what === 'files') throw new Error('Stopped.')
    }
    await expect(move(stop)).rejects.toThrow('Stopped.')
    expect(await to.eventStore.head()).toBeNull()
    const before = await to.files.list('')
    const first = from
    from = await open('other')
    await from.eventStore.append('artwork-9', 'no-stream', [
      event(9, 'ArtworkRetitled', { from: '', to: 'x' }),
    ])
    await from.files.put(`originals/${digest('sha256', 'other', 'hex')}`, Buffer.from('other'))
    await expect(move()).rejects.toThrow(
      'A move of another site was broken off there: go on with that one, or move into an empty place (another DATA_DIR, ' +
        'or servers with another NAMESPACE)',
    )
    expect(await to.files.list('')).toEqual(before)
    await from.close()
    from = first
    expect(await move()).toMatchObject({ counts: { events: 1, files: 2 } })
  })

  it('lets no server begin a site where it goes to while it is only read', async () => {
    const starts: Promise<unknown>[] = []
    await move(() => starts.push(refuseHalfFilled(to.effects).catch(String)))
    expect(await starts[0]).toContain('run the same "atelier move" again')
    await refuseHalfFilled(to.effects)
  })

  it('is not moved without a log', async () => {
    await from.close()
    from = await open('empty')
    await expect(move()).rejects.toThrow('There is no site to move: its log is empty')
    await refuseHalfFilled(to.effects)
  })
})
