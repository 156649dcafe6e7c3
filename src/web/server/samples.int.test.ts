import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CallName } from '#web/contract/calls.ts'
import { describeOnServers } from '#infrastructure/cluster/testing/servers.ts'
import { atelier } from '../../../test/support/atelier.ts'
import {
  type Answer,
  type Client,
  openWebSite,
  type Sent,
  shownActivity,
  uploadImage,
  type WebSite,
} from '../../../test/support/web-site.ts'

// Hanging the samples takes long on a machine that is busy.
const timeoutMs = 120_000

let site: WebSite
let owner: Client
const begin = async (): Promise<void> => {
  site = await openWebSite({ settings: { SAMPLES: 'auto' } })
  owner = await site.owner()
}
const end = async (): Promise<void> => site.close()

interface Named {
  readonly id: string
  readonly title: string
  readonly name: string
  readonly category: string
  readonly image?: { readonly ready: boolean } | null
}
const list = async (
  owner: Client,
  name: 'listArtworks' | 'listCategories' | 'listMediums' | 'listBlogPosts',
): Promise<readonly Named[]> => (await owner.call(name)).json
const titles = async (owner: Client) => (await list(owner, 'listArtworks')).map(({ title }) => title)
const names = async (owner: Client, set: 'listCategories' | 'listMediums') =>
  (await list(owner, set)).map(({ name }) => name)
const activity = async (owner: Client) => (await shownActivity(owner)).json.items
const everything = async (owner: Client) => {
  const [artworks, posts, categories, mediums, content] = await Promise.all([
    list(owner, 'listArtworks'),
    list(owner, 'listBlogPosts'),
    list(owner, 'listCategories'),
    list(owner, 'listMediums'),
    owner.call('getSiteContent').then(({ json }) => json),
  ])
  // The variants of the images are made meanwhile: how far that is is no matter of what comes and goes.
  const bare = (all: readonly Named[]) =>
    all.map(({ image, ...each }) => ({
      ...each,
      image: image && { ...image, ready: undefined },
      version: undefined,
      updatedAt: undefined,
    }))
  return {
    artworks: bare(artworks),
    posts: bare(posts),
    categories: bare(categories),
    mediums: bare(mediums),
    content: { ...content, version: undefined, updatedAt: undefined },
  }
}
/** The status of the image that a work shows. */
const imageStatus = async (owner: Client, imageUrl: string): Promise<number> =>
  (await owner.send('GET', imageUrl)).status

describe('removing the sample content', () => {
  beforeAll(begin, timeoutMs)
  afterAll(end)

  it(
    'is one entry, and its undo brings all of it back with its pictures',
    async () => {
      const before = await everything(owner)
      const entries = (await activity(owner)).length
      const removed = await owner.call('removeSamples')
      expect(removed.headers.get('x-activity')).toBeTruthy()
      expect(await titles(owner)).toEqual([])
      expect(await names(owner, 'listMediums')).toEqual([])
      const [entry, ...earlier] = await activity(owner)
      expect(earlier).toHaveLength(entries)
      expect(entry).toMatchObject({
        id: removed.headers.get('x-activity'),
        undo: { label: 'Bring the sample content back' },
      })
      expect(entry.sentence).toMatch(
        /^The sample content was removed: 12 works, 3 journal posts, \d+ texts, 5 categories, \d+ mediums$/,
      )
      const undone = await owner.call('undoActivity', { params: { id: entry.id } })
      expect([undone.status, undone.json]).toEqual([200, { skipped: [] }])
      expect(await everything(owner)).toEqual(before)
      const artworks = (await owner.call('listArtworks')).json
      for (const { imageUrl } of artworks) expect(await imageStatus(owner, imageUrl)).toBe(200)
      // They are samples still, and what undid can be undone.
      expect((await owner.call('countSamples')).json.artworks).toEqual({ go: 12, stay: 0 })
      const redone = await owner.call('undoActivity', { params: { id: (await activity(owner))[0].id } })
      expect(redone.json).toEqual({ skipped: [] })
      expect(await titles(owner)).toEqual([])
      expect((await owner.call('listArtworks', { query: 'deleted=true' })).json).toEqual([])
      await owner.call('undoActivity', { params: { id: (await activity(owner))[0].id } })
      expect(await everything(owner)).toEqual(before)
    },
    timeoutMs,
  )

  it(
    'is undone as far as nothing has changed since; the rest is named, and asking again changes nothing',
    async () => {
      await owner.call('removeSamples')
      const [{ id }] = await activity(owner)
      await owner.call('addCategory', { body: { name: 'abstract' } })
      await owner.call('changeSiteContent', { body: { artistQuote: 'My own words' } })
      const undone = await owner.call('undoActivity', { params: { id } })
      const sentences = undone.json.skipped.map(({ sentence }: { sentence: string }) => sentence)
      expect(sentences).toEqual([
        'Artist quote stays as it is: this was changed again since, so it can no longer be undone',
        'Category “Abstract” stays as it is: there is already a category called “abstract”',
      ])
      expect(await titles(owner)).toHaveLength(12)
      expect((await owner.call('getSiteContent')).json).toMatchObject({
        artistQuote: 'My own words',
        artistName: 'Leela Marathe',
      })
      const [artwork] = await list(owner, 'listArtworks')
      await owner.call('changeArtwork', { params: { id: artwork?.id ?? '' }, body: { title: 'Mine' } })
      const count = (await activity(owner)).length
      const again = await owner.call('undoActivity', { params: { id } })
      expect([again.status, again.json]).toEqual([200, undone.json])
      expect(await activity(owner)).toHaveLength(count)
      expect(await titles(owner)).toContain('Mine')
    },
    timeoutMs,
  )
})

describe('what she has changed', () => {
  beforeAll(begin, timeoutMs)
  afterAll(end)

  it(
    'stays, with all that it is filed under; what goes and what stays is told before',
    async () => {
      const [edited, repriced, deleted, withImage, ...others] = await list(owner, 'listArtworks')
      const [hidden, ...otherPosts] = await list(owner, 'listBlogPosts')
      if (!edited || !repriced || !deleted || !withImage || !hidden) throw new Error('Samples are missing')
      const imageUrl = await uploadImage(owner)
      await owner.call('changeArtwork', { params: { id: edited.id }, body: { title: 'Mine' } })
      await owner.call('changeArtwork', { params: { id: repriced.id }, body: { price: 7 } })
      await owner.call('changeArtwork', { params: { id: withImage.id }, body: { imageUrl } })
      await owner.call('deleteArtwork', { params: { id: deleted.id } })
      await owner.call('changeBlogPost', { params: { id: hidden.id }, body: { isVisible: false } })
      await owner.call('changeSiteContent', { body: { artistQuote: 'My own words' } })
      const untouched = (await list(owner, 'listCategories')).find(({ name }) => name === 'Mixed Media')
      await owner.call('changeCategory', {
        params: { id: untouched?.id ?? '' },
        body: { description: 'Mine' },
      })
      const used = others.find(({ category }) => category === 'Landscape')
      await owner.call('addArtwork', { body: { title: 'New', imageUrl, category: used?.category } })
      const labels = new Set([
        'Landscape',
        ...[edited, repriced, deleted, withImage].map(({ category }) => category),
      ])
      const before = (await owner.call('countSamples')).json
      expect(before.artworks).toEqual({ go: others.length, stay: 4 })
      expect(before.posts).toEqual({ go: otherPosts.length, stay: 1 })
      expect(before.texts.stay).toBe(1)

      expect((await owner.call('removeSamples')).status).toBe(204)

      expect((await titles(owner)).toSorted()).toEqual(
        ['Mine', 'New', repriced.title, withImage.title].toSorted(),
      )
      expect((await list(owner, 'listBlogPosts')).map(({ id }) => id)).toEqual([hidden.id])
      const content = (await owner.call('getSiteContent')).json
      expect([content.artistQuote, content.artistBio]).toEqual(['My own words', ''])
      expect(new Set(await names(owner, 'listCategories'))).toEqual(new Set([...labels, 'Mixed Media']))
      const trash = (await owner.call('listArtworks', { query: 'deleted=true' })).json
      expect(trash.map(({ id }: Named) => id)).toEqual([deleted.id])
      const after = (await owner.call('countSamples')).json
      for (const kind of ['artworks', 'posts', 'texts', 'categories', 'mediums'])
        expect(after[kind]).toMatchObject({ go: 0, stay: before[kind].stay })
    },
    timeoutMs,
  )

  it(
    'leaves no entry where nothing goes',
    async () => {
      const count = (await activity(owner)).length
      const answer = await owner.call('removeSamples')
      expect([answer.status, answer.headers.get('x-activity')]).toEqual([204, null])
      expect(await activity(owner)).toHaveLength(count)
    },
    timeoutMs,
  )
})

await describeOnServers(
  'on servers',
  ['eventstore', 'mongodb', 'redis'],
  ({ eventstore, mongodb, redis }) => {
    /** Sends a call under one key until it is answered as shown, which on a busy machine takes longer than one answer waits. */
    const shown = (name: CallName, sent: Sent = {}): Promise<Answer> => {
      const headers = { 'idempotency-key': randomUUID() }
      return vi.waitFor(
        async () => {
          const answer = await owner.call(name, { ...sent, headers })
          expect([200, 204]).toContain(answer.status)
          return answer
        },
        { timeout: 60_000, interval: 50 },
      )
    }
    it(
      'samples go but for a changed one, come back, and many works are one act',
      async () => {
        const settings = {
          NAMESPACE: `samples-${process.pid}-${Date.now()}`,
          SECRET: 'a secret that the servers are sealed with',
          EVENTSTORE_URL: eventstore.url,
          MONGODB_URL: mongodb.url,
          REDIS_URL: redis.url,
        }
        site = await openWebSite({ settings })
        try {
          owner = await site.owner()
          const added = await atelier(site.dataDir, ['samples', 'add'], '', settings)
          // A slow machine is told how far it is.
          expect([added.code, added.errors]).toEqual([0, expect.any(String)])
          const before = await everything(owner)
          const removed = await shown('removeSamples')
          const id = removed.headers.get('x-activity') ?? ''
          await expect.poll(() => titles(owner)).toEqual([])
          const undone = await shown('undoActivity', { params: { id } })
          expect([undone.status, undone.json]).toEqual([200, { skipped: [] }])
          await expect.poll(() => everything(owner)).toEqual(before)
          const [artwork] = await list(owner, 'listArtworks')
          await shown('changeArtwork', { params: { id: artwork?.id ?? '' }, body: { title: 'Mine' } })
          await shown('removeSamples')
          await expect.poll(() => titles(owner)).toEqual(['Mine'])
          const imageUrl = await uploadImage(owner)
          const rows = ['One', 'Two'].map((title) => ({ fields: { title, imageUrl } }))
          const batch = await shown('batchArtworks', { body: { rows } })
          expect(batch.json.rows.map(({ status }: { status: number }) => status)).toEqual([201, 201])
          const act = batch.headers.get('x-activity') ?? ''
          const gone = await shown('undoActivity', { params: { id: act } })
          expect([gone.status, gone.json]).toEqual([200, { skipped: [] }])
          await expect.poll(() => titles(owner)).toEqual(['Mine'])
        } finally {
          await end()
        }
      },
      timeoutMs,
    )
  },
)
