import { expect, it } from 'vitest'
import { asStored, type Documents } from '#application/kernel/ports/documents.ts'
import { lookThrough } from './doctor-data.ts'

it('looks through the documents of a view, few of them at once', async () => {
  const all = Array.from({ length: 250 }, (_, n) => {
    const id = `p${1000 + n}`
    return asStored(id, n === 30 || n === 230 ? null : { id, position: n === 7 ? '9' : '3' })
  })
  const asked: unknown[] = []
  const findStored = (async (_view, { after, limit }) => {
    asked.push(limit)
    return all.filter(({ id }) => id > String(after?.[0] ?? '')).slice(0, limit)
  }) as Documents['findStored']
  const { newest, bad } = await lookThrough({ findStored }, { name: 'posts', version: 1, indexes: [] })
  expect([...newest]).toEqual([['posts p1007', '9']])
  expect(bad).toEqual(['p1030', 'p1230'])
  expect(asked).toEqual([100, 100, 100])
})
