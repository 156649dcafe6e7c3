import { describe, expect, it } from 'vitest'
import { addArtwork } from '#application/artworks/artworks.ts'
import { artworkInput } from '#application/testing/artwork-input.ts'
import { imageHash, ownerCommand, testApplication } from '#application/testing/application.ts'
import { type Images, ImageWorkFailed } from '#application/ports/images.ts'
import type { Application } from '#application/application.ts'
import { journalCopier } from '#application/images/journal-copier.ts'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import { SafeFetchError } from '#application/kernel/ports/safe-fetch.ts'
import { artworkAggregate, artworkOf } from '#domain/artworks/artwork.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { postAggregate } from '#domain/journal/blog-post.ts'
import { copyArtworkImage, copyJournalImages } from './copy-images.ts'

const slow = 'https://pictures.example/slow.jpg'
const hash = imageHash
const context = (attempt: number) => ({
  id: `job-${attempt}`,
  attempt,
  apart: false,
  again: false,
  signal: new AbortController().signal,
  progress: () => {},
})

/** A work whose image is still shown from another site, which from then on answers as told. */
const copying = async (failure: Error | null) => {
  const test = testApplication()
  const { app } = test
  const { id } = await addArtwork(app, artworkInput({ imageUrl: slow }), ownerCommand())
  const later = {
    ...app,
    safeFetch: {
      ...app.safeFetch,
      download: async (request: Parameters<typeof app.safeFetch.download>[0], path: string) => {
        if (failure !== null) throw failure
        return app.safeFetch.download({ ...request, url: 'https://pictures.example/now.jpg' }, path)
      },
    },
  }
  const image = async () => artworkOf(await app.executor.load(artworkAggregate(id)))?.picture
  const run = (attempt = 1) =>
    copyArtworkImage(later).run({ artworkId: id, sourceUrl: slow }, context(attempt))
  return { app, id, image, run }
}

describe('a work’s picture on another site', () => {
  it('is copied and shown from here', async () => {
    const { image, run } = await copying(null)
    expect(await image()).toMatchObject({ source: 'copying' })
    await run()
    expect(await image()).toEqual({ source: 'own', hash, imageUrl: `/images/${hash}/original-view.jpg` })
  })

  it('stays to be copied while it is our own process that can open nothing more', async () => {
    const cause = Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    const { image, run } = await copying(new SafeFetchError('unreachable', 'broke off', { cause }))
    await expect(run(5)).rejects.toThrow('broke off')
    expect(await image()).toMatchObject({ source: 'copying' })
  })

  it('is tried again while the other site is away, then goes on being linked', async () => {
    const { image, run } = await copying(new SafeFetchError('unreachable', 'away'))
    await expect(run(1)).rejects.toThrow('away')
    expect(await image()).toMatchObject({ source: 'copying' })
    await run(5)
    expect(await image()).toMatchObject({ source: 'link', imageUrl: slow })
  })

  it('that must not be reached is linked at once', async () => {
    const { image, run } = await copying(new SafeFetchError('private', 'no'))
    await run(1)
    expect(await image()).toMatchObject({ source: 'link' })
  })

  it('that the owner has replaced meanwhile is left alone', async () => {
    const { app, id, run, image } = await copying(null)
    const mine = 'e'.repeat(64)
    const own = { imageUrl: `/images/${mine}/original-view.jpg`, source: 'own', hash: mine } as const
    await app.executor.execute({
      ...artworkAggregate(id),
      command: { type: 'ReviseArtwork', changes: { picture: own }, today: '2026-03-04' },
      context: ownerCommand(),
      expectedVersion: null,
    })
    await run()
    expect(await image()).toEqual(own)
  })
})

describe('a post’s pictures', () => {
  const post = async () => {
    const { app, eventStore } = testApplication({})
    const html = {
      ...app.html,
      imagesOf: () => ['https://pictures.example/a.jpg', 'https://elsewhere.example/b.jpg'],
    }
    await app.executor.execute({
      ...postAggregate('p'),
      command: {
        type: 'MirrorPost',
        blogUrl: 'https://blog.example',
        externalId: 'p',
        post: {
          title: 'P',
          content: '<img>',
          excerpt: '',
          publishedAt: null,
          externalUrl: null,
          pictureUrl: 'https://pictures.example/lead.jpg',
        },
      },
      context: ownerCommand(),
      expectedVersion: null,
    })
    const run = (other: Partial<Application> = {}) =>
      copyJournalImages({ ...app, html, ...other }).run({ postId: 'p' }, context(1))
    const copies = () =>
      eventStore.events
        .filter((event) => event.type === 'BlogPostPictureCopied')
        .map((event) => event.data['sourceUrl'])
    const takenInBy = () =>
      eventStore.events.filter((event) => event.type === 'ImageUploaded').map(({ meta }) => meta.actor)
    return { app, run, copies, takenInBy }
  }

  it('are copied as far as they can be had; the job comes back for the rest', async () => {
    const { run, copies } = await post()
    await expect(run()).rejects.toThrow('1 of 3 pictures')
    expect(copies()).toEqual(['https://pictures.example/lead.jpg', 'https://pictures.example/a.jpg'])
  })

  it('are known for a blog’s, thousands of which must not keep the sizes of her own waiting', async () => {
    const { run, takenInBy } = await post()
    await expect(run()).rejects.toThrow('1 of 3 pictures')
    expect(takenInBy()).toEqual([{ kind: 'system', name: journalCopier }])
  })

  it('are copied with the one that she has given instead of the blog’s, which comes first', async () => {
    const { app, run, copies } = await post()
    const imageUrl = 'https://pictures.example/hers.jpg'
    await app.executor.execute({
      ...postAggregate('p'),
      command: { type: 'RevisePost', changes: { imageUrl } },
      context: ownerCommand(),
      expectedVersion: null,
    })
    await expect(run()).rejects.toThrow('1 of 4 pictures')
    expect(copies()).toEqual([
      imageUrl,
      'https://pictures.example/lead.jpg',
      'https://pictures.example/a.jpg',
    ])
  })

  it('come though one before them breaks whoever works on it', async () => {
    const { app, run, copies } = await post()
    let asked = 0
    const first: Images['first'] = async (...args) => {
      asked += 1
      if (asked === 1) throw new ImageWorkFailed('took too long')
      return app.images.first(...args)
    }
    await expect(run({ images: { ...app.images, first } })).rejects.toThrow('2 of 3 pictures')
    expect(copies()).toEqual(['https://pictures.example/a.jpg'])
  })

  it('are left to later while little room is left for her own work', async () => {
    const { app, run, copies } = await post()
    const files = { ...app.files, room: async () => fieldLimits.leastFreeBytes - 1 }
    await expect(run({ files })).rejects.toThrow(DiskFull)
    expect(copies()).toEqual([])
  })

  it('are no more than a post of hers has, the lead picture among them', async () => {
    const { app, run, copies } = await post()
    const many = Array.from(
      { length: 2 * fieldLimits.postImages },
      (_, n) => `https://pictures.example/${n}.jpg`,
    )
    await run({ html: { ...app.html, imagesOf: () => many } })
    expect(copies()).toHaveLength(fieldLimits.postImages)
    expect(copies()).toContain('https://pictures.example/lead.jpg')
  })

  it('that are kept already are not fetched again', async () => {
    const { run, copies } = await post()
    await expect(run()).rejects.toThrow('1 of 3')
    await expect(run()).rejects.toThrow('1 of 1')
    expect(copies()).toHaveLength(2)
  })
})
