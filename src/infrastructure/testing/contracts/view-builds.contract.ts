import { beforeAll, describe, expect, it } from 'vitest'
import { CheckpointMoved, type Documents, type ViewDefinition } from '#application/kernel/ports/documents.ts'
import { filledView, ids, type PositionAt, type Item, item } from './some-documents.ts'

/**
 * The part of the documents' contract about views that are built beside the live one.
 * @param opened the store of the suite around it, once that has opened it
 */
export const viewBuildRules = (opened: () => Documents, at: PositionAt): void => {
  describe('a view built beside the live one', () => {
    let documents: Documents
    beforeAll(() => {
      documents = opened()
    })

    const beside = (view: ViewDefinition): ViewDefinition => ({ ...view, build: 'b1' })

    /** A live view that stands at 1, and one built beside it that stands at 2. */
    const both = async (): Promise<{ live: ViewDefinition; built: ViewDefinition }> => {
      const live = await filledView(documents, at, [item('a', 'Old'), item('gone', 'Old')], [['title']])
      const built = beside(live)
      await documents.prepare([built])
      await documents.write([
        {
          view: built,
          put: [item('a', 'New'), item('n', 'New')],
          remove: [],
          from: null,
          to: at(2),
          numbered: 5,
        },
      ])
      return { live, built }
    }

    it('is kept apart from it', async () => {
      const { live, built } = await both()
      expect(await documents.checkpoints([live, built])).toEqual([at(1), at(2)])
      expect(ids(await documents.find(live, { where: { title: 'Old' } }))).toEqual(['a', 'gone'])
      expect(ids(await documents.find(built, {}))).toEqual(['a', 'n'])
      await documents.drop(built)
      expect(await documents.checkpoints([live, built])).toEqual([at(1), null])
      expect(await documents.count(live, {})).toBe(2)
    })

    it('takes its place with its checkpoint, and leaves its own place free', async () => {
      const { live, built } = await both()
      await documents.switchTo([{ built, from: at(1) }])
      expect(await documents.checkpoints([live, built])).toEqual([at(2), null])
      expect(await documents.numbered([live, built])).toMatchObject([{ numbered: 5 }, { numbered: 0 }])
      expect(await documents.find(live, {})).toEqual([item('a', 'New'), item('n', 'New')])
      expect(ids(await documents.find(live, { where: { title: 'New' } }))).toEqual(['a', 'n'])
      expect(await documents.get(live, 'gone')).toBeNull()
      await documents.prepare([live, built])
      expect(await documents.find(built, {})).toEqual([])
      await documents.write([
        { view: live, put: [item('a', 'Newer')], remove: ['n'], from: at(2), to: at(3) },
        { view: built, put: [item('z', 'Z')], remove: [], from: null, to: at(1) },
      ])
      expect(await documents.find(live, {})).toEqual([item('a', 'Newer')])
      expect(ids(await documents.find(built, {}))).toEqual(['z'])
    })

    it('tells as of where its documents changed as it is told to, else as what was built does', async () => {
      const { live, built } = await both()
      await documents.switchTo([{ built, from: at(1), changedAt: 'at the switch' }])
      expect(await documents.places([live])).toEqual([{ position: at(2), changedAt: 'at the switch' }])
      await documents.prepare([built])
      await documents.write([{ view: built, put: [], remove: [], from: null, to: at(3) }])
      await documents.switchTo([{ built, from: at(2) }])
      expect(await documents.places([live])).toEqual([{ position: at(3), changedAt: at(3) }])
    })

    it('can be switched to again and again', async () => {
      const { live, built } = await both()
      await documents.switchTo([{ built, from: at(1) }])
      await documents.prepare([built])
      await documents.write([{ view: built, put: [item('c', 'C')], remove: [], from: null, to: at(2) }])
      await documents.switchTo([{ built, from: at(2) }])
      expect(await documents.find(live, {})).toEqual([item('c', 'C')])
    })

    it('with nothing in it and no checkpoint leaves nothing', async () => {
      const live = await filledView(documents, at, [item('a', 'A')], [])
      await documents.prepare([beside(live)])
      await documents.switchTo([{ built: beside(live), from: at(1) }])
      expect(await documents.checkpoints([live])).toEqual([null])
      expect(await documents.find(live, {})).toEqual([])
    })

    it('is not switched to when another runner has moved the live one', async () => {
      const { live, built } = await both()
      await documents.write([{ view: live, put: [], remove: ['gone'], from: at(1), to: at(3) }])
      await expect(documents.switchTo([{ built, from: at(1) }])).rejects.toBeInstanceOf(CheckpointMoved)
      expect(await documents.checkpoints([live, built])).toEqual([at(3), at(2)])
      expect(await documents.find(live, {})).toEqual([item('a', 'Old')])
    })

    it('is refused when it is none, or was never prepared', async () => {
      const live = await filledView(documents, at, [item('a', 'A')], [])
      await expect(documents.switchTo([{ built: live, from: at(1) }])).rejects.toThrow(TypeError)
      await expect(documents.switchTo([{ built: beside(live), from: at(1) }])).rejects.toThrow(TypeError)
      expect(await documents.count(live, {})).toBe(1)
    })

    it('fails no read and shows none half of each while it is switched to', async () => {
      const { live } = await both()
      let from = at(1)
      let reading = true
      const seen = new Set<string>()
      const readers = Array.from({ length: 3 }, async () => {
        while (reading) {
          const found = await documents.find<Item>(live, {})
          seen.add(found.map(({ id, title }) => `${id} ${title}`).join())
          await new Promise(setImmediate)
        }
      })
      for (let round = 0; round < 5; round += 1) {
        const built = { ...live, build: `r${round}` }
        const title = `Round ${round}`
        await documents.prepare([built])
        await documents.write([
          { view: built, put: [item('a', title), item('b', title)], remove: [], from: null, to: at(2) },
        ])
        await documents.switchTo([{ built, from }])
        from = at(2)
      }
      reading = false
      await Promise.all(readers)
      expect([...seen].filter((text) => !/^(?:a Old,gone Old|a (.*),b \1)$/.test(text))).toEqual([])
    })
  })
}
