import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Client,
  openWebSite,
  shownActivity,
  uploadImage,
  type WebSite,
} from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
let imageUrl: string
beforeAll(async () => {
  site = await openWebSite()
  owner = await site.owner()
  imageUrl = await uploadImage(owner)
})
afterAll(async () => site.close())

interface Row {
  readonly id: string | null
  readonly status: number
  readonly fields?: object
}
const send = async (rows: readonly object[], key?: string) => {
  const answer = await owner.call('batchArtworks', {
    body: { rows },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
  const results: readonly Row[] = answer.json.rows
  return { answer, rows: results, statuses: results?.map(({ status }) => status) }
}
const artwork = (title: string, more: object = {}) => ({ fields: { title, imageUrl, ...more } })
const titles = async (): Promise<readonly string[]> =>
  (await owner.call('listArtworks')).json.map(({ title }: { title: string }) => title)
const activity = async () => (await shownActivity(owner)).json.items
const absent = '0f6ee6a5-7f5e-4d55-9d62-2f3a6f3a9a11'

describe('many works at once', () => {
  it('are added, changed and deleted, each row judged by itself', async () => {
    const { rows: before } = await send([artwork('Kept'), artwork('Gone')])
    const [kept, gone] = before.map(({ id }) => id)
    const { answer, rows } = await send([
      artwork('New'),
      { id: kept, fields: { price: 500, isVisible: false } },
      { id: gone, delete: true },
      artwork('Dear', { price: -1 }),
      { id: absent, fields: { price: 1 } },
      { id: kept, fields: { price: 9 } },
      { id: kept, fields: { price: 7, expectedVersion: 1 } },
    ])
    expect(answer.status).toBe(200)
    expect(rows.map(({ status }) => status)).toEqual([201, 200, 204, 422, 404, 422, 422])
    expect(rows[3]?.fields).toHaveProperty('price')
    expect(rows[5]?.fields).toEqual({ id: 'This work stands in an earlier row already' })
    expect(await titles()).toEqual(expect.arrayContaining(['New', 'Kept']))
    expect(await titles()).not.toContain('Gone')
    expect((await owner.call('getArtwork', { params: { id: kept ?? '' } })).json).toMatchObject({
      price: 500,
      isVisible: false,
    })
    const stale = await send([{ id: kept, fields: { price: 7, expectedVersion: 1 } }])
    expect(stale.statuses).toEqual([409])
  })

  it('are one entry of the activity, which is taken back as one', async () => {
    const count = (await activity()).length
    const { answer, rows } = await send([artwork('One of many'), artwork('Two of many')])
    const [entry, ...earlier] = await activity()
    expect(earlier).toHaveLength(count)
    expect(entry).toMatchObject({
      id: answer.headers.get('x-activity'),
      // Rows are worked on at once: either may be the first in the log.
      sentence: expect.stringMatching(/^“(?:One|Two) of many” was added; “(?:One|Two) of many” was added$/),
      undo: { label: 'Undo these changes' },
    })
    await owner.call('changeArtwork', { params: { id: rows[1]?.id ?? '' }, body: { price: 9 } })
    const undone = await owner.call('undoActivity', { params: { id: entry.id } })
    expect(undone.json).toEqual({
      skipped: [
        {
          subjectId: rows[1]?.id,
          sentence:
            '“Two of many” stays as it is: this was changed again since, so it can no longer be undone',
        },
      ],
    })
    expect(await titles()).not.toContain('One of many')
    expect(await titles()).toContain('Two of many')
  })

  it('are made once when the same table comes twice at once, and who was later is told that they are there', async () => {
    const table = Array.from({ length: 12 }, (_, n) => artwork(`At once ${n}`))
    const [one, other] = await Promise.all([send(table), send(table)])
    expect(other.rows.map(({ id }) => id)).toEqual(one.rows.map(({ id }) => id))
    const both = one.statuses.map((status, n) => [status, other.statuses[n] ?? 0].toSorted((a, b) => a - b))
    expect(both).toEqual(table.map(() => [200, 201]))
  })

  it('stand in the order of their rows', async () => {
    // More than are worked on at once.
    const named = Array.from({ length: 30 }, (_, n) => `Row ${n + 1}`)
    await send(named.map((title) => artwork(title)))
    expect((await titles()).filter((title) => title.startsWith('Row '))).toEqual(named)
  })

  it('are doubled by nothing: not by a repeat, nor by sending the table again', async () => {
    const table = [artwork('Twin'), artwork('Twin'), artwork('Single')]
    const first = await send(table, 'batch-1')
    expect(first.statuses).toEqual([201, 201, 201])
    expect(new Set(first.rows.map(({ id }) => id)).size).toBe(3)
    const repeat = await send(table, 'batch-1')
    expect(repeat.rows).toEqual(first.rows)
    expect(repeat.answer.headers.get('x-activity')).toBe(first.answer.headers.get('x-activity'))
    const again = await send([...table, artwork('Added later')])
    expect(again.statuses).toEqual([200, 200, 200, 201])
    expect(again.rows.slice(0, 3).map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id))
    expect((await titles()).filter((title) => title === 'Twin')).toHaveLength(2)
  })

  it('answer a repeat as they answered first, also where a row changed nothing or was refused', async () => {
    const { rows } = await send([
      artwork('Shown'),
      artwork('Not shown', { isVisible: false }),
      artwork('Leaves'),
    ])
    const [shown, hidden, leaves] = rows.map(({ id }) => id)
    const sent = [
      { id: shown, fields: { isVisible: true } },
      { id: hidden, fields: { isVisible: true } },
      { id: leaves, delete: true },
      { id: absent, fields: { isVisible: true } },
      { id: absent, delete: true },
      artwork('Comes'),
      artwork('Of no upload', { imageUrl: `/uploads/artworks/${'0'.repeat(64)}.jpg` }),
    ]
    const first = await send(sent, 'batch-2')
    expect(first.statuses).toEqual([200, 200, 204, 404, 422, 201, 422])
    expect((await send(sent, 'batch-2')).rows).toEqual(first.rows)
  })

  it('carry nothing out at a repeat that they did not at first', async () => {
    const { rows } = await send([artwork('Changed since'), artwork('Was gone')])
    const [changed, gone] = rows.map(({ id }) => id)
    await owner.call('deleteArtwork', { params: { id: gone ?? '' } })
    const sent = [
      { id: changed, fields: { price: 0 } },
      { id: gone, fields: { imageUrl: 'https://pictures.example/of-somebody.jpg' } },
      { id: absent, delete: true },
    ]
    expect((await send(sent, 'batch-3')).statuses).toEqual([200, 404, 404])
    await owner.call('changeArtwork', { params: { id: changed ?? '' }, body: { price: 700 } })
    await owner.call('restoreArtwork', { params: { id: gone ?? '' } })
    const again = await send(sent, 'batch-3')
    expect(again.statuses).toEqual([409, 409, 404])
    expect(again.rows[0]?.fields).toEqual({ id: 'This row was not carried out. Send it again by itself' })
    const read = await owner.call('getArtwork', { params: { id: changed ?? '' } })
    expect(read.json).toMatchObject({ price: 700 })
  })

  it('that were taken back may be added again', async () => {
    const table = [artwork('Back again'), artwork('Back too')]
    const { answer } = await send(table)
    await owner.call('undoActivity', { params: { id: answer.headers.get('x-activity') ?? '' } })
    expect(await titles()).not.toContain('Back again')
    expect((await send(table)).statuses).toEqual([201, 201])
    expect((await titles()).filter((title) => title === 'Back again')).toHaveLength(1)
  })

  it('are at most 500, and no row is something else', async () => {
    const many = Array.from({ length: 501 }, (_, n) => artwork(`W${n}`))
    expect((await send(many)).answer.status).toBe(422)
    expect((await send([{ id: absent }])).answer.status).toBe(422)
    expect((await send([{ delete: true }])).answer.status).toBe(422)
    expect((await send([])).answer.json).toEqual({ rows: [] })
    const signedOut = await site.visitor().call('batchArtworks', { body: { rows: [] } })
    expect(signedOut.status).toBe(401)
  })
})
