import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CheckpointMoved,
  type Document,
  type DocumentQuery,
  type Documents,
  type ViewDefinition,
  type ViewWrite,
} from '#application/kernel/ports/documents.ts'
import { filledView, freshView, ids, type PositionAt, type Item, item } from './some-documents.ts'
import { viewBuildRules } from './view-builds.contract.ts'

/** The rules every store of read models obeys. */
export const documentsContract = (
  name: string,
  open: () => Promise<{ readonly documents: Documents; readonly close: () => Promise<void> }>,
  at: PositionAt,
): void => {
  describe(`documents: ${name}`, () => {
    let documents: Documents
    let close: () => Promise<void>
    beforeAll(async () => {
      ;({ documents, close } = await open())
    })
    afterAll(async () => close())

    const filled = (
      put: readonly Document[],
      indexes: ViewDefinition['indexes'] = [],
    ): Promise<ViewDefinition> => filledView(documents, at, put, indexes)

    it('has nothing and no checkpoint at first', async () => {
      const view = freshView()
      await documents.prepare([view])
      expect(await documents.checkpoints([view])).toEqual([null])
      expect(await documents.get(view, 'a')).toBeNull()
      expect(await documents.find(view, {})).toEqual([])
      expect(await documents.count(view, {})).toBe(0)
    })

    it('has no other versions of a view that nobody reads', async () => {
      const [view, other] = [freshView(), freshView()]
      await documents.serve([other])
      expect(await documents.serve([view])).toMatchObject({ others: [] })
    })

    it('keeps how many events a view has numbered with its checkpoint', async () => {
      const view = freshView()
      await documents.prepare([view])
      expect(await documents.numbered([view])).toEqual([{ checkpoint: null, numbered: 0 }])
      const batch = { view, put: [], remove: [], from: null, to: at(1), numbered: 7 }
      await documents.write([batch])
      await documents.write([{ ...batch, from: at(1), to: at(2), numbered: 9 }])
      // a batch that was sent before
      await documents.write([{ ...batch, from: at(1), to: at(2), numbered: 9 }])
      const late = { ...batch, from: at(1), to: at(3), numbered: 11 }
      await expect(documents.write([late])).rejects.toThrow(CheckpointMoved)
      expect(await documents.numbered([view])).toEqual([{ checkpoint: at(2), numbered: 9 }])
      await documents.drop(view)
      expect(await documents.numbered([view])).toEqual([{ checkpoint: null, numbered: 0 }])
    })

    it('has nothing of a view that was never made, nor of one that was dropped', async () => {
      const dropped = await filled([item('a', 'A', 2001)], [['year']])
      expect(await documents.get(dropped, 'a')).not.toBeNull()
      await documents.drop(dropped)
      for (const view of [freshView([['year']]), dropped]) {
        expect(await documents.checkpoints([view])).toEqual([null])
        expect(await documents.get(view, 'a')).toBeNull()
        expect(await documents.getMany(view, ['a', 'b'])).toEqual([])
        expect(await documents.getMany(view, [...Array(100).keys()].map(String))).toEqual([])
        expect(await documents.find(view, { where: { year: 2001 } })).toEqual([])
        expect(await documents.findStored(view, {})).toEqual([])
        expect(await documents.count(view, {})).toBe(0)
      }
    })

    it('gives back documents as they were', async () => {
      const document = {
        id: 'a',
        text: '🖼️ राग ₹ "quoted"\n\u0000',
        nothing: null,
        yes: true,
        number: 0.1,
        list: [1, { deep: ['x'] }],
        empty: {},
      }
      const view = await filled([document])
      expect(await documents.get(view, 'a')).toEqual(document)
      expect(await documents.find(view, {})).toEqual([document])
    })

    it('replaces a document whole', async () => {
      const view = await filled([{ id: 'a', old: 1 }])
      await documents.write([{ view, put: [{ id: 'a', fresh: 2 }], remove: [], from: at(1), to: at(2) }])
      expect(await documents.get(view, 'a')).toEqual({ id: 'a', fresh: 2 })
    })

    it('finds a document by what it holds now, never by what it held', async () => {
      const view = await filled([item('a', 'A', 2001), item('b', 'B', 2001)], [['title'], ['year']])
      await documents.write([{ view, put: [item('a', 'A2', 2001)], remove: [], from: at(1), to: at(2) }])
      expect(await documents.find(view, { where: { title: 'A' } })).toEqual([])
      expect(await documents.find(view, { where: { title: 'A2' } })).toEqual([item('a', 'A2', 2001)])
      await documents.write([{ view, put: [item('a', 'A2', null)], remove: [], from: at(2), to: at(3) }])
      expect(ids(await documents.find(view, { where: { year: 2001 } }))).toEqual(['b'])
      expect(ids(await documents.find(view, { where: { year: null } }))).toEqual(['a'])
      await documents.write([
        { view, put: [item('a', 'A2', null, false)], remove: [], from: at(3), to: at(4) },
      ])
      expect(await documents.find(view, { where: { year: null } })).toEqual([item('a', 'A2', null, false)])
    })

    it('removes documents from every answer; an unknown one is no error', async () => {
      const view = await filled([item('a', 'A'), item('b', 'B')])
      await documents.write([{ view, put: [], remove: ['a', 'unknown'], from: at(1), to: at(2) }])
      expect(await documents.get(view, 'a')).toBeNull()
      expect(await documents.getMany(view, ['a', 'b'])).toEqual([item('b', 'B')])
      expect(ids(await documents.find(view, {}))).toEqual(['b'])
      expect(await documents.count(view, {})).toBe(1)
    })

    it('shows a document again that was removed and comes back', async () => {
      const view = await filled([item('a', 'A')])
      await documents.write([{ view, put: [], remove: ['a'], from: at(1), to: at(2) }])
      await documents.write([{ view, put: [item('a', 'Again')], remove: [], from: at(2), to: at(3) }])
      expect(await documents.get(view, 'a')).toEqual(item('a', 'Again'))
      expect(await documents.count(view, { title: 'Again' })).toBe(1)
    })

    it('moves the checkpoint with the documents, and without any', async () => {
      const view = await filled([item('a', 'A')])
      expect(await documents.checkpoints([view])).toEqual([at(1)])
      await documents.write([{ view, put: [], remove: [], from: at(1), to: at(5) }])
      expect(await documents.checkpoints([view])).toEqual([at(5)])
    })

    it('answers checkpoints in the order asked', async () => {
      const [a, b, none] = [await filled([]), await filled([]), freshView()]
      await documents.write([{ view: b, put: [], remove: [], from: at(1), to: at(9) }])
      expect(await documents.checkpoints([b, none, a])).toEqual([at(9), null, at(1)])
    })

    it('writes several views at once', async () => {
      const [a, b] = [freshView(), freshView()]
      await documents.prepare([a, b])
      await documents.write([
        { view: a, put: [item('1', 'A')], remove: [], from: null, to: at(3) },
        { view: b, put: [item('2', 'B')], remove: [], from: null, to: at(3) },
      ])
      expect(await documents.checkpoints([a, b])).toEqual([at(3), at(3)])
      expect(await documents.get(a, '1')).toEqual(item('1', 'A'))
      expect(await documents.get(b, '2')).toEqual(item('2', 'B'))
    })

    it('changes nothing when a batch is sent twice', async () => {
      const view = await filled([item('a', 'A'), item('b', 'B')])
      const batch = { view, put: [item('a', 'A2')], remove: ['b'], from: at(1), to: at(2) }
      await documents.write([batch])
      const once = await documents.find(view, {})
      await documents.write([batch])
      expect(await documents.find(view, {})).toEqual(once)
      expect(await documents.checkpoints([view])).toEqual([at(2)])
    })

    it.each([
      ['was moved on', at(1), at(9), at(12)],
      ['was thought to be unset', null, at(9), at(12)],
    ])(
      'refuses a batch whose checkpoint %s by another, and writes nothing of it',
      async (_, from, moved, to) => {
        const view = await filled([item('a', 'A')])
        await documents.write([{ view, put: [item('a', 'theirs')], remove: [], from: at(1), to: moved }])
        const late = documents.write([
          { view, put: [item('a', 'mine'), item('n', 'N')], remove: [], from, to },
        ])
        await expect(late).rejects.toBeInstanceOf(CheckpointMoved)
        expect(await documents.checkpoints([view])).toEqual([moved])
        expect(await documents.find(view, {})).toEqual([item('a', 'theirs')])
      },
    )

    it('refuses a batch that goes on from a checkpoint that was forgotten', async () => {
      const view = freshView()
      await documents.prepare([view])
      const late = documents.write([{ view, put: [item('a', 'A')], remove: [], from: at(4), to: at(5) }])
      await expect(late).rejects.toMatchObject({ name: 'CheckpointMoved', view: view.name })
      expect(await documents.get(view, 'a')).toBeNull()
    })

    it('lets exactly one of two runners win', async () => {
      const view = await filled([])
      const runners = await Promise.allSettled(
        ['one', 'two'].map((title, n) =>
          documents.write([{ view, put: [item('a', title)], remove: [], from: at(1), to: at(n + 2) }]),
        ),
      )
      expect(runners.filter((runner) => runner.status === 'fulfilled')).toHaveLength(1)
      expect(await documents.checkpoints([view])).toEqual([
        runners[0]?.status === 'fulfilled' ? at(2) : at(3),
      ])
    })

    it('tells as of where the documents of a view last changed', async () => {
      const view = freshView()
      await documents.prepare([view])
      const placeAfter = async (write: Partial<ViewWrite>, from: number | null, to: number) => {
        const place = { from: from === null ? null : at(from), to: at(to) }
        await documents.write([{ view, put: [], remove: [], ...place, ...write }])
        return (await documents.places([view]))[0]
      }
      expect(await documents.places([view])).toEqual([{ position: null, changedAt: null }])
      expect(await placeAfter({}, null, 1)).toEqual({ position: at(1), changedAt: at(1) })
      expect(await placeAfter({}, 1, 2)).toEqual({ position: at(2), changedAt: at(1) })
      const put = [item('a', 'A')]
      expect(await placeAfter({ put }, 2, 3)).toEqual({ position: at(3), changedAt: at(3) })
      expect(await placeAfter({ put: [] }, 3, 4)).toEqual({ position: at(4), changedAt: at(3) })
      expect(await placeAfter({ remove: ['a'] }, 4, 5)).toEqual({ position: at(5), changedAt: at(5) })
      expect(await placeAfter({ resumed: true }, 5, 6)).toEqual({ position: at(6), changedAt: at(6) })
    })

    it('leaves out unknown ids of many', async () => {
      const view = await filled([item('a', 'A'), item('b', 'B'), item('c', 'C')])
      expect(ids(await documents.getMany(view, ['c', 'unknown', 'a'])).toSorted()).toEqual(['a', 'c'])
      expect(await documents.getMany(view, [])).toEqual([])
    })

    const gallery = [
      item('a', 'Rain', 2001),
      item('b', 'River', null),
      item('c', 'Rain', 1999, false),
      item('d', 'Stone', 2001),
      item('e', 'Åse', null, false),
      item('f', 'rain', 2010),
    ]

    it.each<[string, NonNullable<DocumentQuery['where']>, string[]]>([
      ['a text', { title: 'Rain' }, ['a', 'c']],
      ['a number', { year: 2001 }, ['a', 'd']],
      ['true', { shown: true }, ['a', 'b', 'd', 'f']],
      ['false', { shown: false }, ['c', 'e']],
      ['null', { year: null }, ['b', 'e']],
      ['an absent field as null', { absent: null }, ['a', 'b', 'c', 'd', 'e', 'f']],
      ['the id', { id: 'd' }, ['d']],
      ['two fields', { title: 'Rain', shown: true }, ['a']],
      ['one of several', { title: { in: ['Stone', 'River', 'none'] } }, ['b', 'd']],
      ['one of several with null', { year: { in: [2010, null] } }, ['b', 'e', 'f']],
      ['one of several truths', { shown: { in: [false] } }, ['c', 'e']],
      ['one of none', { title: { in: [] } }, []],
      ['one of several ids', { id: { in: ['a', 'f'] } }, ['a', 'f']],
      ['another type than stored', { year: '2001' }, []],
    ])('finds and counts by %s', async (_, where, expected) => {
      const view = await filled(gallery, [['title'], ['year'], ['shown', 'title']])
      expect(ids(await documents.find(view, { where }))).toEqual(expected)
      expect(await documents.count(view, where)).toBe(expected.length)
    })

    it.each<[string, NonNullable<DocumentQuery['order']>, string[]]>([
      ['nothing: by id', [], ['a', 'b', 'c', 'd', 'e', 'f']],
      ['one field, null first', [{ field: 'year' }], ['b', 'e', 'c', 'a', 'd', 'f']],
      [
        'one field downwards, null and id last',
        [{ field: 'year', descending: true }],
        ['f', 'd', 'a', 'c', 'e', 'b'],
      ],
      ['text by its bytes', [{ field: 'title' }], ['a', 'c', 'b', 'd', 'f', 'e']],
      [
        'two fields in two directions',
        [{ field: 'year', descending: true }, { field: 'title' }],
        ['f', 'a', 'd', 'c', 'b', 'e'],
      ],
      ['the id downwards', [{ field: 'id', descending: true }], ['f', 'e', 'd', 'c', 'b', 'a']],
    ])('orders by %s', async (_, order, expected) => {
      const view = await filled(gallery, [['year'], ['title']])
      expect(ids(await documents.find(view, { order }))).toEqual(expected)
      // any page size, begun again behind the last document of each page, gives the same list
      for (const limit of [1, 2, 4]) {
        const paged: string[] = []
        let after: DocumentQuery['after']
        for (;;) {
          const page = await documents.find<Item>(view, { order, limit, ...(after ? { after } : {}) })
          paged.push(...ids(page))
          const last = page.at(-1)
          if (!last) break
          const fields: Record<string, string | number | boolean | null> = { ...last } as never // an item has only scalars
          after = [...order.map(({ field }) => fields[field] ?? null), last.id]
        }
        expect(paged).toEqual(expected)
      }
    })

    it('keeps to the limit and the condition while paging', async () => {
      const view = await filled(gallery, [['shown', 'year']])
      const query = { where: { shown: true }, order: [{ field: 'year' }], limit: 2 }
      expect(ids(await documents.find(view, query))).toEqual(['b', 'a'])
      expect(ids(await documents.find(view, { ...query, after: [2001, 'a'] }))).toEqual(['d', 'f'])
    })

    it('keeps documents and checkpoint when prepared twice', async () => {
      const view = await filled([item('a', 'A')], [['title']])
      await documents.prepare([view, view])
      expect(await documents.get(view, 'a')).toEqual(item('a', 'A'))
      expect(await documents.checkpoints([view])).toEqual([at(1)])
    })

    it('keeps two versions of a view apart', async () => {
      const old = await filled([item('a', 'A')])
      const fresh = { ...old, version: 2 }
      await documents.prepare([fresh])
      expect(await documents.checkpoints([old, fresh])).toEqual([at(1), null])
      expect(await documents.find(fresh, {})).toEqual([])
    })

    viewBuildRules(() => documents, at)

    it('drops a view that never held a document', async () => {
      const view = freshView()
      await documents.prepare([view])
      await documents.drop(view)
      await documents.prepare([view])
      expect(await documents.find(view, {})).toEqual([])
    })

    it('forgets all views at once, of whatever version and build', async () => {
      const view = await filled([item('a', 'A')], [['title']])
      const older = { ...view, version: view.version + 1 }
      const all = [view, older, { ...older, build: 'rebuild' }]
      await documents.prepare(all)
      for (const each of all.slice(1))
        await documents.write([{ view: each, put: [item('a', 'A')], remove: [], from: null, to: at(1) }])
      await documents.dropAll()
      expect(await documents.checkpoints(all)).toEqual([null, null, null])
      await documents.prepare(all)
      for (const each of all) expect(await documents.find(each, {})).toEqual([])
    })

    it('forgets a dropped view with its checkpoint, and can begin anew', async () => {
      const view = await filled([item('a', 'A')], [['title']])
      await documents.drop(view)
      await documents.drop(view)
      expect(await documents.checkpoints([view])).toEqual([null])
      await documents.prepare([view])
      expect(await documents.find(view, {})).toEqual([])
      await documents.write([{ view, put: [item('b', 'B')], remove: [], from: null, to: at(1) }])
      expect(ids(await documents.find(view, { where: { title: 'B' } }))).toEqual(['b'])
    })
  })
}
