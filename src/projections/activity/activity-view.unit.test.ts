import { describe, expect, it } from 'vitest'
import { detailFields, details } from '#domain/artworks/details.ts'
import { anArtwork } from '#domain/artworks/testing/an-artwork.ts'
import { domainEvents } from '#domain/events.ts'
import { activityProjection } from './activity-view.ts'
import { findUndoable, listActivity } from './queries.ts'
import type { Projection } from '../runtime/projection.ts'
import { type Happened, owner, projected, recorded, timeOf } from '../testing/history.ts'
import {
  categoryAdded,
  imageUploaded,
  payment,
  imageHash,
  toArtwork,
  artworkAdded,
} from '../testing/artworks.ts'

const after = (...history: readonly Happened[]) =>
  projected([activityProjection as unknown as Projection], history)
const activityAfter = async (...history: readonly Happened[]) =>
  (await listActivity(await after(...history), {})).items
/** The newest sentence after a history. */
const told = async (...history: readonly Happened[]) => (await activityAfter(...history))[0]?.sentence

const price = (from: number, to: number, more: Partial<Happened> = {}) =>
  toArtwork('w1', { type: 'ArtworkPriceChanged', data: { from, to } }, more)
const deleted = toArtwork('w1', { type: 'ArtworkDeleted', data: { title: 'Monsoon over the Ghats' } })
const restored = toArtwork('w1', { type: 'ArtworkRestored', data: {} })
const event = (stream: string, happened: Happened['event'], actor?: Happened['actor']): Happened => ({
  stream,
  event: happened,
  ...(actor ? { actor } : {}),
})
const received = (artworkId: string | null) =>
  event(
    'message-m1',
    { type: 'MessageReceived', data: { subject: 'purchase', artworkId, sealed: 'sealed' } },
    { kind: 'visitor' },
  )
const post = {
  title: 'First light',
  content: '',
  excerpt: '',
  pictureUrl: null,
  publishedAt: null,
  externalUrl: null,
}
const imported = event('blogPost-p1', {
  type: 'BlogPostImported',
  data: { externalId: 'x', blogUrl: '', post, sample: false },
})

describe('the activity in plain words', () => {
  it('says who did what to which work, and when', async () => {
    expect(await activityAfter(artworkAdded('w1'), price(96_000, 1_25_000))).toMatchObject([
      {
        at: timeOf(1),
        actor: 'You',
        sentence: 'Price of “Monsoon over the Ghats” changed from ₹96,000 to ₹1,25,000',
        module: 'artworks',
        subjectId: 'w1',
        undo: { label: 'Back to ₹96,000' },
      },
      { at: timeOf(0), sentence: '“Monsoon over the Ghats” was added' },
    ])
  })

  it('uses the name that a work had then', async () => {
    const renamed = toArtwork('w1', {
      type: 'ArtworkRetitled',
      data: { from: 'Monsoon over the Ghats', to: 'Rain' },
    })
    const sentences = (await activityAfter(artworkAdded('w1'), price(96_000, 0), renamed, deleted)).map(
      ({ sentence }) => sentence,
    )
    expect(sentences).toEqual([
      '“Rain” was deleted',
      '“Monsoon over the Ghats” was renamed to “Rain”',
      'Price of “Monsoon over the Ghats” changed from ₹96,000 to price on request',
      '“Monsoon over the Ghats” was added',
    ])
  })

  it.each([
    [
      toArtwork('w1', { type: 'ArtworkSold', data: { from: 'for_sale' } }),
      '“Monsoon over the Ghats” was sold',
    ],
    [
      toArtwork('w1', {
        type: 'ArtworkCategorised',
        data: { from: { id: null, name: 'Sea' }, to: { id: null, name: 'Hills' } },
      }),
      'Category of “Monsoon over the Ghats” changed from “Sea” to “Hills”',
    ],
    [
      toArtwork('w1', { type: 'ArtworkYearChanged', data: { from: 2024, to: null } }),
      'Year of “Monsoon over the Ghats” was removed (it was 2024)',
    ],
    [
      toArtwork('w1', { type: 'ArtworkFramed', data: { from: 'unsaid', to: 'framed_glass' } }),
      'Framing of “Monsoon over the Ghats” was set to framed under glass',
    ],
    [
      toArtwork('w1', { type: 'ArtworkFramed', data: { from: 'framed_glass', to: 'unframed' } }),
      'Framing of “Monsoon over the Ghats” changed from framed under glass to unframed',
    ],
    [
      toArtwork('w1', { type: 'ArtworkFramed', data: { from: 'framed', to: 'unsaid' } }),
      'Framing of “Monsoon over the Ghats” was removed (it was framed)',
    ],
    [
      toArtwork('w1', {
        type: 'ArtworkPictureLinked',
        data: { sourceUrl: 'https://elsewhere.example/a.jpg', reason: 'x' },
      }),
      'The picture of “Monsoon over the Ghats” is shown from elsewhere.example, for it could not be copied',
    ],
    [
      event('categories', { type: 'CategoryDescribed', data: { id: 'c1', from: '', to: 'x' } }),
      'Description of category “Hills” changed',
    ],
    [
      event('categories', { type: 'CategoryRenamed', data: { id: 'c1', from: 'Hills', to: 'Peaks' } }),
      'Category “Hills” was renamed to “Peaks”',
    ],
    [payment('a@b'), 'Payment details changed: UPI ID, UPI kind, UPI payee name'],
    [
      // As a log has it that was never restored.
      event('site-content', {
        type: 'ContentUpdated',
        data: {
          changes: {
            quoteBulletPoint1: { from: '', to: 'y' },
            heroTitle: { from: '', to: 'x' },
            contactWhatsapp: { from: '', to: 'z' },
          },
          sample: false,
        },
      }),
      'Site texts changed: Contact WhatsApp, Hero title, Quote bullet point 1',
    ],
    [
      event('site-content', { type: 'BlogAddressChanged', data: { from: '', to: 'https://b.example/' } }),
      'Blog address was set to https://b.example/',
    ],
    [event('blogPost-p1', { type: 'BlogPostHidden', data: {} }), 'Journal post “First light” was hidden'],
    [
      event('blog-sync', {
        type: 'BlogSyncCompleted',
        data: { runId: 'r', created: 2, updated: 0, removed: 1, unchanged: 4, total: 6 },
      }),
      'The journal followed the blog: 2 new, 1 removed',
    ],
    [
      event('blog-sync', { type: 'BlogSyncFailed', data: { runId: 'r', reason: 'It does not answer' } }),
      'The blog could not be read: It does not answer',
    ],
    [
      event(`image-${imageHash}`, {
        type: 'ImageProcessingFailed',
        data: { hash: imageHash, reason: 'Too dark' },
      }),
      'A picture could not be prepared for the website: Too dark',
    ],
  ])('tells %o', async (happened, sentence) => {
    expect(await told(artworkAdded('w1'), categoryAdded('c1', 'Hills'), imported, happened)).toBe(sentence)
  })

  it('names no person, only the work a visitor asks about', async () => {
    expect(await activityAfter(artworkAdded('w1'), received('w1'))).toMatchObject([
      { sentence: 'An enquiry about “Monsoon over the Ghats” arrived', actor: 'A visitor', subjectId: 'm1' },
      {},
    ])
    expect(await told(received(null))).toBe('An enquiry arrived')
    const erased = event('message-m1', { type: 'MessageErased', data: {} })
    expect(await told(artworkAdded('w1'), received('w1'), erased)).toBe(
      'An enquiry about “Monsoon over the Ghats” was deleted, with everything the visitor wrote',
    )
  })

  it('is silent about steps on the way', async () => {
    const nothingNew = event('blog-sync', {
      type: 'BlogSyncCompleted',
      data: { runId: 'r', created: 0, updated: 0, removed: 0, unchanged: 6, total: 6 },
    })
    expect(await activityAfter(imported, imageUploaded(imageHash), nothingNew)).toEqual([])
  })

  it('has words for every event that is not a silent step', async () => {
    // Whatever is added to the table of events must be told or be named silent.
    const silent =
      /^(BlogPost(Imported|Revised|PictureCopied|KeyChanged)|BlogSyncStarted|EnquiryMailSkipped|Image(Uploaded|Processed|ReprocessingRequested|Discarded))$/
    const { newsOf } = await import('./sentences.ts')
    const change = { from: '1', to: '2' }
    const data = {
      ...change,
      changes: { heroTitle: change },
      field: 'title',
      sourceUrl: 'https://a.example/',
      created: 1,
      sample: false,
      reason: 'sample',
    }
    const ofDetail = new Map(
      detailFields.map((field) => {
        const { changedBy, words } = details[field]
        const [from, to] = words ? Object.keys(words) : ['', 'something']
        return [changedBy, { from, to }]
      }),
    )
    const untold = Object.keys(domainEvents).filter((type) => {
      const event = { type, data: ofDetail.get(type) ?? data, meta: { actor: owner } }
      return !silent.test(type) && !/^\S.*\S$/.test(newsOf(event as never, 'X')?.sentence ?? '')
    })
    expect(untold).toEqual([])
  })
})

describe('one entry for each command', () => {
  const together = { command: 'save' }

  it('tells all its events', async () => {
    const saved = [
      price(96_000, 1, together),
      toArtwork('w1', { type: 'ArtworkFeatured', data: {} }, together),
    ]
    expect((await activityAfter(artworkAdded('w1'), ...saved)).slice(0, -1)).toMatchObject([
      {
        sentence:
          'Price of “Monsoon over the Ghats” changed from ₹96,000 to ₹1; “Monsoon over the Ghats” was featured',
        undo: { label: 'Undo these changes' },
      },
    ])
  })

  it('stays short when the command did very much', async () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ ...categoryAdded(`c${n}`, `C${n}`), ...together }))
    const items = await activityAfter(...many)
    expect(items).toHaveLength(1)
    expect(items[0]?.sentence).toMatch(/“C5” was added; and 14 more changes$/)
    const [entry] = await activityAfter(...many.slice(0, 7))
    expect(entry?.sentence).toMatch(/“C5” was added; and 1 more change$/)
  })
})

describe('what can be undone', () => {
  const undoable = async (...history: readonly Happened[]) =>
    (await activityAfter(...history)).map(({ undo }) => undo !== undefined)

  it('is the last change of a field, not an earlier one', async () => {
    expect(await undoable(artworkAdded('w1'), price(96_000, 1), price(1, 2))).toEqual([true, false, false])
    const featured = toArtwork('w1', { type: 'ArtworkFeatured', data: {} })
    expect(await undoable(artworkAdded('w1'), price(96_000, 1), featured)).toEqual([true, true, false])
  })

  it('is what stood before a change that was taken back, one step after the other, and each undo', async () => {
    const changed = [
      artworkAdded('w1'),
      price(96_000, 1, { command: 'a' }),
      price(1, 2, { command: 'b' }),
      price(2, 3, { command: 'c' }),
    ]
    const noC = price(3, 2, { command: 'no c', undoes: 'c' })
    const noB = price(2, 1, { command: 'no b', undoes: 'b' })
    const again = price(2, 3, { command: 'c again', undoes: 'no c' })
    expect(await undoable(...changed)).toEqual([true, false, false, false])
    expect(await undoable(...changed, noC)).toEqual([true, false, true, false, false])
    expect(await undoable(...changed, noC, noB)).toEqual([true, false, false, false, true, false])
    expect(await undoable(...changed, noC, again)).toEqual([true, false, false, false, false, false])
    expect(await undoable(...changed, noC, price(2, 9))).toEqual([true, false, false, false, false, false])
  })

  it('is an undo as well that stands again once a later change was taken back', async () => {
    const history = [
      artworkAdded('w1'),
      price(96_000, 1, { command: 'a' }),
      price(1, 2, { command: 'b' }),
      price(2, 1, { command: 'no b', undoes: 'b' }),
      price(1, 3, { command: 'c' }),
    ]
    const noC = price(3, 1, { command: 'no c', undoes: 'c' })
    expect(await undoable(...history)).toEqual([true, false, false, false, false])
    expect(await undoable(...history, noC)).toEqual([true, false, true, false, true, false])
    const bAgain = price(1, 2, { command: 'b again', undoes: 'no b' })
    expect(await undoable(...history, noC, bAgain)).toEqual([true, ...Array.from({ length: 6 }, () => false)])
    // What was undone once is not offered again, also when the undo of it was undone.
    const noBAgain = price(2, 1, { command: 'no b again', undoes: 'b again' })
    expect(await undoable(...history, noC, bAgain, noBAgain)).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
      true,
      false,
    ])
  })

  it('is the deletion alone while a work is deleted, then the restoring and the rest', async () => {
    expect(await undoable(artworkAdded('w1'), price(96_000, 1), deleted)).toEqual([true, false, false])
    expect(await undoable(artworkAdded('w1'), price(96_000, 1), deleted, restored)).toEqual([
      true,
      false,
      true,
      false,
    ])
    const gone = [
      { ...artworkAdded('w1'), command: 'add' },
      { ...deleted, command: 'delete' },
    ]
    const backByUndo = { ...restored, command: 'back', undoes: 'delete' }
    expect(await undoable(...gone, backByUndo)).toEqual([true, false, false])
    const deletedAnew = { ...deleted, undoes: 'back' }
    expect(await undoable(...gone, { ...restored, command: 'back' }, deletedAnew)).toEqual([
      true,
      false,
      true,
      false,
    ])
  })

  it('is never a background step or a message', async () => {
    const copied = toArtwork('w1', {
      type: 'ArtworkPictureCopied',
      data: { sourceUrl: 'https://a.example/', imageUrl: '/x', hash: imageHash },
    })
    expect(await undoable(artworkAdded('w1'), copied, received('w1'))).toEqual([false, false, false])
  })

  it('is a new picture of another site also once it is copied, or known to stay there', async () => {
    const sourceUrl = 'https://a.example/'
    const replaced = toArtwork('w1', {
      type: 'ArtworkPictureReplaced',
      data: {
        from: anArtwork().picture,
        to: { imageUrl: sourceUrl, source: 'copying', hash: null },
      },
    })
    const copied = toArtwork('w1', {
      type: 'ArtworkPictureCopied',
      data: { sourceUrl, imageUrl: '/x', hash: imageHash },
    })
    const linked = toArtwork('w1', {
      type: 'ArtworkPictureLinked',
      data: { sourceUrl, reason: 'Too large' },
    })
    for (const later of [copied, linked])
      expect(await undoable(artworkAdded('w1'), replaced, later)).toEqual([false, true, false])
  })

  it('are changes of categories and of posts, also their deletion', async () => {
    const hidden = event('blogPost-p1', { type: 'BlogPostHidden', data: {} })
    const data = { id: 'c1', name: 'Hills', withSamples: false }
    const gone = event('categories', { type: 'CategoryDeleted', data })
    const renamed = event('categories', {
      type: 'CategoryRenamed',
      data: { id: 'c1', from: 'Hill', to: 'Hills' },
    })
    expect(await undoable(categoryAdded('c1', 'Hill'), renamed, imported, hidden, gone)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('is what changed many works as long as one of them is as it was left', async () => {
    const act = { command: 'act' }
    const priced = (id: string) =>
      toArtwork(id, { type: 'ArtworkPriceChanged', data: { from: 96_000, to: 1 } }, act)
    const both = [artworkAdded('w1'), artworkAdded('w2'), priced('w1'), priced('w2')]
    const isOffered = async (...since: readonly Happened[]) =>
      (await undoable(...both, ...since))[since.length]
    const gone = toArtwork('w2', { type: 'ArtworkDeleted', data: { title: 'Monsoon over the Ghats' } })
    expect(await isOffered(price(1, 2))).toBe(true)
    expect(await isOffered(price(1, 2), gone)).toBe(false)
    expect(await isOffered(deleted, gone)).toBe(false)
    expect(await isOffered(deleted, gone, restored)).toBe(true)
  })

  it('is no change of a work of which a part was changed since, also among many', async () => {
    const act = { command: 'act' }
    const featured = toArtwork('w1', { type: 'ArtworkFeatured', data: {} }, act)
    const other = toArtwork('w2', { type: 'ArtworkFeatured', data: {} }, act)
    const unfeatured = toArtwork('w2', { type: 'ArtworkUnfeatured', data: {} })
    const history = [artworkAdded('w1'), artworkAdded('w2'), price(96_000, 1, act), featured, other]
    expect((await undoable(...history, unfeatured))[1]).toBe(true)
    expect((await undoable(...history, unfeatured, price(1, 2)))[2]).toBe(false)
  })

  const removal = [
    toArtwork('w1', { type: 'SampleArtworkRemoved', data: {} }, { command: 'remove' }),
    toArtwork('w2', { type: 'SampleArtworkRemoved', data: {} }, { command: 'remove' }),
    {
      ...event('categories', {
        type: 'CategoryDeleted',
        data: { id: 'c1', name: 'Hills', withSamples: true },
      }),
      command: 'remove',
    },
  ]
  const added = [
    artworkAdded('w1', { sample: true }),
    artworkAdded('w2', { sample: true }),
    categoryAdded('c1', 'Hills'),
  ]

  it('is the removal of samples: one entry, until all of it was brought back', async () => {
    const [entry] = await activityAfter(...added, ...removal)
    expect(entry).toMatchObject({
      sentence: 'The sample content was removed: 2 works, 1 category',
      undo: { label: 'Bring the sample content back' },
    })
    const back = (id: string) => ({
      ...toArtwork(id, { type: 'ArtworkRestored', data: {} }),
      command: 'undo',
    })
    const half = await activityAfter(...added, ...removal, back('w1'))
    expect(half.map(({ undo }) => undo !== undefined)).toEqual([true, true, false, false, false])
    const category = event('categories', { type: 'CategoryRestored', data: { id: 'c1', name: 'Hills' } })
    const items = await activityAfter(...added, ...removal, back('w1'), back('w2'), {
      ...category,
      command: 'undo',
    })
    expect(items.map(({ undo }) => undo !== undefined)).toEqual([true, false, false, false, false])
  })

  const noTail = { readAll: async () => [] }
  it('is found with the place of its events', async () => {
    const documents = await after(artworkAdded('w1'), price(96_000, 1))
    const { items } = await listActivity(documents, {})
    const stores = { documents, eventStore: noTail }
    expect(await findUndoable(stores, items[0]?.id ?? '')).toEqual({
      commandId: items[0]?.id,
      streams: ['artwork-w1'],
      undoable: true,
      at: items[0]?.at,
    })
    expect(await findUndoable(stores, items[1]?.id ?? '')).toMatchObject({ undoable: false })
    expect(await findUndoable(stores, 'subject:artworks:w1')).toBeNull()
  })

  it('is found also while the activity does not show it yet', async () => {
    const history = [...added, ...removal]
    const events = recorded(history)
    const commandId = events.at(-1)?.meta.commandId ?? ''
    // The view has come to the first of the three streams; the log has them all.
    const documents = await after(...history.slice(0, 4))
    const eventStore = {
      readAll: async (after: string | null) =>
        events.filter(({ position }) => after === null || position > after),
    }
    expect(await findUndoable({ documents, eventStore }, commandId)).toEqual({
      commandId,
      streams: ['artwork-w1', 'artwork-w2', 'categories'],
      undoable: true,
      at: events.at(-1)?.occurredAt,
    })
  })

  it('of the site’s texts goes field by field', async () => {
    const text = (field: 'heroTitle' | 'artistName') =>
      event('site-content', {
        type: 'ContentUpdated',
        data: { changes: { [field]: { from: '', to: 'x' } }, sample: false },
      })
    expect(await undoable(text('heroTitle'), text('artistName'), text('heroTitle'))).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('pages of the activity', () => {
  const history = [artworkAdded('w1'), artworkAdded('w2'), price(96_000, 1), price(1, 2), received('w1')]

  it('go on behind the last entry seen', async () => {
    const documents = await after(...history)
    const first = await listActivity(documents, { limit: 2 })
    expect(first.items.map(({ at }) => at)).toEqual([timeOf(4), timeOf(3)])
    const second = await listActivity(documents, { limit: 2, before: first.next ?? '' })
    expect(second.items.map(({ at }) => at)).toEqual([timeOf(2), timeOf(1)])
    const third = await listActivity(documents, { limit: 2, before: second.next ?? '' })
    expect(third.items.map(({ at }) => at)).toEqual([timeOf(0)])
    expect(third.next).toBeNull()
    expect(await listActivity(documents, { before: 'unknown' })).toEqual({ items: [], next: null })
  })

  it('hold what belongs to one work: its own changes and the enquiries about it', async () => {
    const { items } = await listActivity(await after(...history), { artworkId: 'w1' })
    expect(items.map(({ at }) => at)).toEqual([timeOf(4), timeOf(3), timeOf(2), timeOf(0)])
  })
})
