import { beforeEach, describe, expect, it } from 'vitest'
import type { Application } from '../application.ts'
import { imageUrlOf } from '#domain/images/image-address.ts'
import { asideKey, firstKey, originalKey, variantKey } from './image-files.ts'
import { sweepImages } from './sweep.ts'
import { takeImage } from './take-image.ts'
import { EngineAway } from '../kernel/ports/event-store.ts'
import { imageHash, ownerCommand, testApplication } from '../testing/application.ts'
import { artworkAggregate } from '#domain/artworks/artwork.ts'
import { anArtwork } from '#domain/artworks/testing/an-artwork.ts'
import type { FoldedArtwork } from '#domain/artworks/state.ts'
import type { Aggregate } from '#domain/decider.ts'
import type { DomainEvent } from '#domain/events.ts'
import { imageAggregate, imageStream } from '#domain/images/image.ts'
import { siteContentAggregate } from '#domain/site-content/site-content.ts'

/** The hash of every image that the test application takes. */
const hash = imageHash
const other = 'b'.repeat(64)
const imageUrl = imageUrlOf(hash)
const start = Date.parse('2026-01-01T00:00:00.000Z')
const onDay = (days: number): Date => new Date(start + days * 24 * 60 * 60_000)

let test: ReturnType<typeof testApplication>
let app: Application
let cards: string[]
beforeEach(() => {
  cards = []
  test = testApplication()
  app = { ...test.app, lookups: { ...test.app.lookups, currentCards: async () => cards } }
})

const send = <State, Command, Event extends DomainEvent>(
  days: number,
  aggregate: Aggregate<State, Command, Event>,
  command: Command,
) =>
  app.executor.execute({
    ...aggregate,
    command,
    context: { ...ownerCommand(), now: onDay(days) },
    expectedVersion: null,
  })
const upload = (days: number) => takeImage(app, 'photo.jpg', { ...ownerCommand(), now: onDay(days) })
const process = async (days: number, widths: readonly number[]) => {
  for (const width of widths) await app.files.put(variantKey(hash, width, 'jpg'), new Uint8Array([1]))
  await send(days, imageAggregate(hash), {
    type: 'RecordProcessed',
    hash,
    widths,
    formats: ['jpg'],
  })
}
const away = { imageUrl: 'https://a.example/a.jpg', source: 'link', hash: null } as const
const image = { imageUrl, source: 'own', hash } as const
const add = (days: number, fields: Partial<FoldedArtwork> = {}) =>
  send(days, artworkAggregate('w1'), {
    type: 'AddArtwork',
    artwork: anArtwork({ picture: image, ...fields }),
    today: '2026-01-01',
  })

let strays: ReadonlyMap<string, number> = new Map()
beforeEach(() => {
  strays = new Map()
})
const sweep = async (days: number) => {
  const signal = new AbortController().signal
  const swept = await sweepImages(app, { now: onDay(days), strays, signal })
  strays = swept.strays
  return swept
}
const isAside = (key: string): boolean => key.startsWith('aside/')
const kept = (): string[] => [...test.files.keys()].filter((key) => !isAside(key)).toSorted()
const aside = (): string[] => [...test.files.keys()].filter(isAside).toSorted()
const types = (): string[] => test.eventStore.events.map(({ type }) => type)
const whole = [firstKey(hash), variantKey(hash, 320, 'jpg'), originalKey(hash)].toSorted()

describe('an upload that nothing names', () => {
  it('is discarded after thirty days, and its files go a day later', async () => {
    await upload(0)
    await process(0, [320])
    expect(await sweep(29)).toMatchObject({ discarded: 0, files: 0 })
    expect(await sweep(30)).toMatchObject({ discarded: 1, files: 0 })
    expect(types().at(-1)).toBe('ImageDiscarded')
    await sweep(30.9)
    expect(kept()).toEqual(whole)
    expect(await sweep(31.1)).toMatchObject({ files: 3 })
    expect(kept()).toEqual([])
    expect(await sweep(60)).toMatchObject({ discarded: 0, files: 0 })
  })

  it('is whole again when it is uploaded once more, before or after its files went', async () => {
    for (const days of [30.5, 32]) {
      await upload(0)
      await sweep(30)
      if (days > 31) await sweep(31.5)
      await upload(days)
      await sweep(days + 2)
      expect(types().at(-1)).toBe('ImageUploaded')
      expect(kept()).toEqual([firstKey(hash), originalKey(hash)].toSorted())
      await sweep(days + 31)
      expect(types().at(-1)).toBe('ImageDiscarded')
    }
  })

  it('is kept when a form that was open for long uses it after all', async () => {
    await upload(0)
    await sweep(30)
    await add(30.5)
    await sweep(31.5)
    expect(types().at(-1)).toBe('ImageUploaded')
    await sweep(90)
    expect(kept()).toEqual([firstKey(hash), originalKey(hash)].toSorted())
  })

  it('stays while its upload goes on at the moment of the sweep', async () => {
    await upload(0)
    await sweep(30)
    // The second upload gets in between what the sweep has read and what it removes.
    const { acquire } = app.leases
    let once = true
    app = {
      ...app,
      leases: {
        ...app.leases,
        acquire: async (name, signal) => {
          if (once) {
            once = false
            await upload(31.5)
          }
          return acquire(name, signal)
        },
      },
    }
    expect(await sweep(31.5)).toMatchObject({ files: 0 })
    expect(kept()).toEqual([firstKey(hash), originalKey(hash)].toSorted())
  })
})

it('a picture whose original was lost is made whole by uploading it once more', async () => {
  await upload(0)
  await upload(1)
  expect(types()).toEqual(['ImageUploaded'])
  for (const lost of [originalKey(hash), firstKey(hash)]) {
    await app.files.remove([lost])
    await upload(2)
    expect(kept()).toEqual([firstKey(hash), originalKey(hash)].toSorted())
  }
  expect(types()).toEqual(['ImageUploaded', 'ImageReprocessingRequested', 'ImageReprocessingRequested'])
})

describe('a picture that was ever used', () => {
  it.each([
    ['of a work', async () => void (await add(1))],
    [
      'of a work that was deleted, for it can be restored',
      async () => {
        await add(1)
        await send(2, artworkAggregate('w1'), { type: 'DeleteArtwork' })
      },
    ],
    ['given as a payment code', async () => void (await add(1, { picture: away, qrCodeUrl: imageUrl }))],
    [
      'that was the portrait, for that can be undone',
      async () => {
        const changes = { profileImageUrl: imageUrl }
        await send(1, siteContentAggregate, { type: 'UpdateContent', changes })
        await send(2, siteContentAggregate, {
          type: 'UpdateContent',
          changes: { profileImageUrl: '' },
        })
      },
    ],
  ])('stays: one %s', async (_, use) => {
    await upload(0)
    await process(0, [320])
    await use()
    expect(await sweep(400)).toMatchObject({ discarded: 0, files: 0 })
    expect(kept()).toEqual(whole)
  })

  it('stays when a sample used it that was removed: that can be undone', async () => {
    await upload(0)
    await add(0, { sample: true })
    await send(1, artworkAggregate('w1'), { type: 'RemoveSampleArtwork' })
    const before = kept()
    expect(before).not.toEqual([])
    await sweep(31)
    await sweep(33)
    expect(kept()).toEqual(before)
  })

  it('loses the variants that a later processing no longer names, a day after it', async () => {
    await upload(0)
    await add(0)
    await process(0, [320, 400])
    await process(5, [320])
    await sweep(5.5)
    expect(kept()).toContain(variantKey(hash, 400, 'jpg'))
    expect(await sweep(6.5)).toMatchObject({ files: 1 })
    expect(kept()).toEqual(whole)
  })

  it('keeps variants that are made just now and not yet told', async () => {
    await upload(0)
    await add(0)
    await process(0, [320])
    const { acquire } = app.leases
    app = {
      ...app,
      leases: {
        ...app.leases,
        acquire: async (name, signal) => {
          await process(9, [320, 800])
          return acquire(name, signal)
        },
      },
    }
    await sweep(9)
    expect(kept()).toContain(variantKey(hash, 800, 'jpg'))
  })
})

describe('files that the log does not know', () => {
  it('go when they are found again a day later', async () => {
    await app.files.put(originalKey(other), new Uint8Array([1]))
    await app.files.put(firstKey(other), new Uint8Array([1]))
    expect((await sweep(0)).files).toBe(0)
    expect((await sweep(0.5)).files).toBe(0)
    expect((await sweep(1.5)).files).toBeGreaterThan(0)
    expect(kept()).toEqual([])
  })

  it('stay when their upload was told meanwhile', async () => {
    await app.files.put(originalKey(hash), new Uint8Array([1]))
    await sweep(0)
    await upload(1)
    await sweep(1.5)
    expect(kept()).toEqual([firstKey(hash), originalKey(hash)].toSorted())
  })
})

describe('a process that stood still while files were its turn', () => {
  const standStill = (): void => {
    const { leases } = app
    const check = (): void => {
      throw new EngineAway('mongodb', 'The lease was lost')
    }
    const acquire: typeof leases.acquire = async (...asked) => ({
      ...(await leases.acquire(...asked)),
      check,
    })
    app = { ...app, leases: { ...leases, acquire } }
  }

  it('puts nothing aside that another may have taken in again', async () => {
    await upload(0)
    await sweep(30)
    const before = kept()
    standStill()
    await expect(sweep(31)).rejects.toThrow(EngineAway)
    expect([kept(), aside()]).toEqual([before, []])
  })

  it('brings nothing back in whose place another may have put the same', async () => {
    await upload(0)
    await app.files.move(originalKey(hash), asideKey(originalKey(hash), '2026-01-01'))
    standStill()
    await expect(sweep(1)).rejects.toThrow(EngineAway)
    expect(aside()).toEqual([asideKey(originalKey(hash), '2026-01-01')])
  })

  it('names nothing in the log that another may have put aside', async () => {
    await upload(0)
    await sweep(30)
    const before = types()
    standStill()
    await expect(upload(31)).rejects.toThrow(EngineAway)
    expect(types()).toEqual(before)
  })
})

it('removes the cards that no work has any more', async () => {
  await app.files.put('cards/old.jpg', new Uint8Array([1]))
  await app.files.put('cards/new.jpg', new Uint8Array([1]))
  cards = ['new']
  expect(await sweep(0)).toMatchObject({ files: 1 })
  expect(kept()).toEqual(['cards/new.jpg'])
})

it('removes nothing when an event of a picture cannot be read', async () => {
  await upload(0)
  await sweep(30)
  const broken = { ...test.eventStore.events[0], stream: imageStream(other), data: { hash: 7 } }
  test.eventStore.events.push({ ...broken, position: '9999999999' } as never)
  await expect(sweep(60)).rejects.toThrow('ImageUploaded version 1')
  expect(kept()).toEqual([firstKey(hash), originalKey(hash)].toSorted())
})

describe('what is swept', () => {
  it('lies aside for thirty days and is removed then, and nothing else ever is', async () => {
    const removed: string[] = []
    const { files } = app
    app = {
      ...app,
      files: {
        ...files,
        remove: async (keys) => {
          removed.push(...keys)
          await files.remove(keys)
        },
      },
    }
    await app.files.put(originalKey(other), new Uint8Array([1]))
    await app.files.put('cards/old.jpg', new Uint8Array([1]))
    await sweep(0)
    await sweep(1.5)
    const expected = ['aside/2026-01-01/cards/old.jpg', `aside/2026-01-02/${originalKey(other)}`]
    expect([kept(), aside()]).toEqual([[], expected])
    expect(await sweep(30.9)).toMatchObject({ removed: 0 })
    expect(await sweep(31)).toMatchObject({ removed: 1 })
    expect(await sweep(32)).toMatchObject({ removed: 1 })
    expect(aside()).toEqual([])
    expect(removed).toEqual(expected)
  })

  it('comes back when the log knows it again: an older copy of it had stood there for a while', async () => {
    await upload(0)
    await add(0)
    const whole = app
    app = testApplication({ files: whole.files }).app
    await sweep(1)
    await sweep(2.5)
    expect(kept()).toEqual([])
    app = whole
    expect(await sweep(3)).toMatchObject({ returned: 2, files: 0 })
    expect([kept(), aside()]).toEqual([[firstKey(hash), originalKey(hash)].toSorted(), []])
  })
})
