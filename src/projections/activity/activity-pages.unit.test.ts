import { describe, expect, it } from 'vitest'
import { activityProjection } from './activity-view.ts'
import { findUndoable, listActivity } from './queries.ts'
import type { ActivityPage } from './lines.ts'
import type { Projection } from '../runtime/projection.ts'
import { artworkAdded, imageHash, imageUploaded, toArtwork } from '../testing/artworks.ts'
import { type Happened, projected, timeOf } from '../testing/history.ts'

const after = (history: readonly Happened[]) =>
  projected([activityProjection as unknown as Projection], history)

const price = (artwork: string, n: number, more: Partial<Happened> = {}): Happened =>
  toArtwork(artwork, { type: 'ArtworkPriceChanged', data: { from: n, to: n + 1 } }, more)
const prices = (artwork: string, count: number): readonly Happened[] =>
  Array.from({ length: count }, (_, n) => price(artwork, n))

const noTail = { readAll: async () => [] }

/** The whole list, a page after the other. */
const listed = async (documents: Awaited<ReturnType<typeof after>>, artworkId?: string) => {
  const items: Awaited<ReturnType<typeof listActivity>>['items'][number][] = []
  for (let before: string | undefined; ; ) {
    const page = await listActivity(documents, { limit: 7, before, artworkId })
    items.push(...page.items)
    if (page.next === null) return items
    before = page.next
  }
}

describe('the pages that the activity is kept in', () => {
  it('hold many events each, in the order of the log, and none of those that are no news', async () => {
    const documents = await after([artworkAdded('w1'), imageUploaded(imageHash), ...prices('w1', 70)])
    const pages = await documents.find<ActivityPage>(activityProjection.view, {
      where: { kind: 'page' },
      order: [{ field: 'page' }],
    })
    expect(pages.map(({ page, lines }) => [page, lines.length])).toEqual([
      [0, 32],
      [1, 32],
      [2, 7],
    ])
    const at = pages.flatMap(({ lines }) => lines.map((line) => line.at))
    expect(at).toEqual(at.toSorted())
  })

  it('are read one after the other, and nothing is told twice or left out', async () => {
    const items = await listed(await after([artworkAdded('w1'), ...prices('w1', 100)]))
    expect(items.map(({ at }) => at)).toEqual(Array.from({ length: 101 }, (_, n) => timeOf(100 - n)))
  })

  it('tell of one work what is spread over many of them, however often it changed', async () => {
    const mixed = Array.from({ length: 150 }, (_, n) => [price('w1', n), price('w2', n)]).flat()
    const items = await listed(await after([artworkAdded('w1'), artworkAdded('w2'), ...mixed]), 'w1')
    expect(items).toHaveLength(151)
    expect(new Set(items.map(({ subjectId }) => subjectId))).toEqual(new Set(['w1']))
    expect(items.map(({ at }) => at)).toEqual(
      items
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    )
  })

  it('keep to the work what was asked about it, also when the message was erased', async () => {
    const message = (event: Happened['event']): Happened => ({ stream: 'message-m1', event })
    const documents = await after([
      artworkAdded('w1'),
      message({ type: 'MessageReceived', data: { subject: 'purchase', artworkId: 'w1', sealed: 'sealed' } }),
      ...prices('w1', 40),
      message({ type: 'MessageErased', data: {} }),
    ])
    const about = (await listed(documents, 'w1')).filter(({ module }) => module === 'messages')
    expect(about.map(({ sentence }) => sentence)).toEqual([
      'An enquiry about “Monsoon over the Ghats” was deleted, with everything the visitor wrote',
      'An enquiry about “Monsoon over the Ghats” arrived',
    ])
    expect(JSON.stringify([...documents.all(activityProjection.view).values()])).not.toContain('sealed')
  })
})

describe('a command that goes on over several pages', () => {
  const many = Array.from({ length: 80 }, (_, n) => `x${n}`)
  const history = [
    ...prices('w1', 20),
    ...many.map((id) => ({ ...artworkAdded(id), command: 'all at once' })),
    ...prices('w1', 20),
  ]

  it('is one entry, where its first event stands', async () => {
    const documents = await after(history)
    const items = await listed(documents)
    expect(items).toHaveLength(41)
    expect(items[20]?.at).toBe(timeOf(20))
    expect(items[20]?.sentence).toMatch(/; and 74 more changes$/)
    expect(items[20]?.undo).toEqual({ label: 'Undo these changes' })
  })

  it('belongs to no one work', async () => {
    expect(await listed(await after(history), 'x3')).toEqual([])
  })

  it('is found with all its streams in their order', async () => {
    const documents = await after(history)
    const id = (await listed(documents))[20]?.id ?? ''
    const found = await findUndoable({ documents, eventStore: noTail }, id)
    expect(found?.streams).toEqual(many.map((artwork) => `artwork-${artwork}`))
  })

  it('is found whole when it was cut off and sent again after many other changes', async () => {
    const command = 'twice'
    const documents = await after([
      { ...artworkAdded('x1'), command },
      ...prices('w1', 100),
      { ...artworkAdded('x2'), command },
    ])
    const [newest] = (await listActivity(documents, { limit: 1 })).items
    const found = await findUndoable({ documents, eventStore: noTail }, newest?.id ?? '')
    expect(found?.streams).toEqual(['artwork-x1', 'artwork-x2'])
  })

  it('is found whole also when the clock had been set back by days meanwhile', async () => {
    const command = 'twice'
    const documents = await after([
      { ...artworkAdded('x1'), command },
      ...prices('w1', 150).map((each) => ({ ...each, at: '2025-12-01T00:00:00.000Z' })),
      { ...artworkAdded('x2'), command },
    ])
    const [newest] = (await listActivity(documents, { limit: 1 })).items
    const found = await findUndoable({ documents, eventStore: noTail }, newest?.id ?? '')
    expect(found?.streams).toEqual(['artwork-x1', 'artwork-x2'])
  })
})
