import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  CheckpointMoved,
  type DocumentQuery,
  type ViewDefinition,
} from '#application/kernel/ports/documents.ts'
import { documentsContract } from '../testing/contracts/documents.contract.ts'
import { openDatabase, type Database } from './database.ts'
import { openDocuments } from './documents.ts'
import { countOf, selectOf } from './document-query.ts'
import { viewTable } from './view-tables.ts'
import { toPosition } from './event-rows.ts'

const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-documents-'))
  const database = openDatabase(join(folder, 'atelier.db'))
  const documents = openDocuments(database)
  const close = async () => {
    await documents.close()
    database.close()
    await rm(folder, { recursive: true })
  }
  return { database, documents, close }
}

documentsContract('embedded', open, toPosition)

describe('views on SQLite', () => {
  it('keep their documents and checkpoint when their indexes change', async () => {
    const { documents, database, close } = await open()
    const before: ViewDefinition = { name: 'works', version: 1, indexes: [['title'], ['year']] }
    const after: ViewDefinition = { name: 'works', version: 1, indexes: [['shown', 'title']] }
    const put = [
      { id: 'a', title: 'Rain', year: 2001, shown: true },
      { id: 'b', title: 'Stone', year: null, shown: false },
    ]
    await documents.prepare([before])
    await documents.write([{ view: before, put, remove: [], from: null, to: toPosition(7) }])
    await documents.prepare([after])
    expect(await documents.checkpoints([after])).toEqual([toPosition(7)])
    expect(await documents.find(after, {})).toEqual(put)
    expect(await documents.find(after, { where: { shown: true, title: 'Rain' } })).toEqual(put.slice(0, 1))
    expect(await documents.find(after, { where: { year: null } })).toEqual(put.slice(1))
    const indexes = database
      .sql("SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'view%'")
      .all()
    expect(indexes).toEqual([{ name: 'view_works_v1_by_shown,title' }])
    await close()
  })

  it.each([
    ['one of them was moved by another', 5],
    ['they come from several places and one was moved', 7],
  ])('are written together or not at all, when %s', async (_, second) => {
    const { documents, close } = await open()
    const views = ['a', 'b', 'c'].map((name) => ({ name, version: 1, indexes: [] }))
    await documents.prepare(views)
    const write = (number: number, from: number | null, to: number) => ({
      view: views[number] ?? { name: '', version: 1, indexes: [] },
      put: [{ id: 'x', at: to }],
      remove: [],
      from: from === null ? null : toPosition(from),
      to: toPosition(to),
    })
    await documents.write([write(0, null, 5), write(1, null, second), write(2, null, 5)])
    await documents.write([write(2, 5, 6)])
    const late = [write(0, 5, 8), write(1, second, 8), write(2, 5, 8)]
    await expect(documents.write(late)).rejects.toBeInstanceOf(CheckpointMoved)
    expect(await documents.checkpoints(views)).toEqual([5, second, 6].map(toPosition))
    await documents.write([...late.slice(0, 2), write(2, 6, 8)])
    expect(await documents.checkpoints(views)).toEqual([8, 8, 8].map(toPosition))
    await documents.write([write(0, 8, 9), write(1, 8, 9), write(2, 8, 9)])
    for (const view of views) expect(await documents.get(view, 'x')).toEqual({ id: 'x', at: 9 })
    await close()
  })

  it('are looked at, not made again, when they are there', async () => {
    const { documents, database, close } = await open()
    const view: ViewDefinition = { name: 'works', version: 1, indexes: [['title'], ['year', 'title']] }
    await documents.prepare([view])
    const version = database.sql('PRAGMA schema_version').get()
    await documents.prepare([{ ...view }])
    expect(database.sql('PRAGMA schema_version').get()).toEqual(version)
    await close()
  })

  it('are not made again after a switch to what was built beside them', async () => {
    const { documents, database, close } = await open()
    const view: ViewDefinition = { name: 'works', version: 1, indexes: [['title'], ['year', 'title']] }
    const built = { ...view, build: 'b1' }
    await documents.prepare([view, built])
    await documents.switchTo([{ built, from: null }])
    const version = database.sql('PRAGMA schema_version').get()
    await documents.prepare([{ ...view }])
    expect(database.sql('PRAGMA schema_version').get()).toEqual(version)
    await close()
  })
})

describe('views let go on SQLite', () => {
  const view: ViewDefinition = { name: 'works', version: 1, indexes: [['title']] }
  const many = Array.from({ length: 1_000 }, (_, n) => ({ id: `w${n}`, title: `Title ${n}` }))
  const tables = (database: Database): readonly string[] =>
    database
      .sql("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%doc TEXT%'")
      .all()
      .map((row) => String(row['name']))

  it('are out of sight at once and cleared away in small steps, also after a stop in between', async () => {
    const { documents, database, close } = await open()
    const built = { ...view, build: 'b1' }
    await documents.prepare([view, built])
    await documents.write([{ view, put: many, remove: [], from: null, to: toPosition(1) }])
    await documents.switchTo([{ built, from: toPosition(1) }])
    expect(await documents.count(view, {})).toBe(0)
    expect(tables(database)).toHaveLength(2)
    await documents.close()
    const again = openDocuments(database)
    await again.prepare([view])
    await vi.waitFor(() => expect(tables(database)).toEqual(['view_works_v1']), 10_000)
    await again.drop(view)
    await vi.waitFor(() => expect(tables(database)).toEqual([]), 10_000)
    await close()
  })
})

describe('query shapes on SQLite', () => {
  const view: ViewDefinition = {
    name: 'artworks',
    version: 3,
    indexes: [['public', 'sortOrder', 'rank'], ['public', 'category', 'sortOrder', 'rank'], ['deletedAt']],
  }
  let database: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    const opened = await open()
    ;({ database, close } = opened)
    await opened.documents.prepare([view])
  })
  afterAll(async () => close())

  const plan = ({ text, values }: { text: string; values: readonly (string | number | null)[] }): string =>
    database
      .sql(`EXPLAIN QUERY PLAN ${text}`)
      .all(...values)
      .map((row) => String(row['detail']))
      .join('; ')

  const list = [{ field: 'sortOrder' }, { field: 'rank' }]

  it.each<[string, DocumentQuery]>([
    ['the list', { where: { public: true }, order: list }],
    [
      'the list downwards',
      { where: { public: true }, order: list.map((key) => ({ ...key, descending: true })) },
    ],
    ['a page of it', { where: { public: true }, order: list, after: [3, 'm', 'x'], limit: 20 }],
    ['one category', { where: { public: true, category: 'Oil' }, order: list }],
    ['the deleted, newest first', { order: [{ field: 'deletedAt', descending: true }] }],
    ['by id', { where: { id: 'a' } }],
  ])('answers %s from an index, without sorting', (_, query) => {
    const steps = plan(selectOf(viewTable(view), query))
    expect(steps).toMatch(/USING (COVERING )?INDEX/)
    expect(steps).not.toContain('TEMP B-TREE')
  })

  it('begins a page in the middle of the index', () => {
    const steps = plan(selectOf(viewTable(view), { order: [{ field: 'deletedAt' }], after: ['2026', 'x'] }))
    expect(steps).toContain('(f_deletedAt>?)')
  })

  it('counts from an index alone', () => {
    expect(plan(countOf(viewTable(view), { public: true }))).toMatch(/SEARCH .* USING (COVERING )?INDEX/)
  })

  it.each([
    ["title') OR 1=1 --", 'x'],
    ['a.b', 'x'],
    ['', 'x'],
  ])('refuses the field name %j', (field, wanted) => {
    expect(() => selectOf(viewTable(view), { where: { [field]: wanted } })).toThrow('cannot name a field')
  })

  it('refuses a page mark of the wrong length', () => {
    expect(() => selectOf(viewTable(view), { order: list, after: ['x'] })).toThrow('needs 3 values')
  })
})
