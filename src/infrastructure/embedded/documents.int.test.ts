import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentQuery, ViewDefinition } from '#application/ports/documents.ts'
import { documentsContract } from '../contracts/documents.contract.ts'
import { openDatabase } from './database.ts'
import type { Database } from './database.ts'
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

  it('are looked at, not made again, when they are there', async () => {
    const { documents, database, close } = await open()
    const view: ViewDefinition = { name: 'works', version: 1, indexes: [['title'], ['year', 'title']] }
    await documents.prepare([view])
    const version = database.sql('PRAGMA schema_version').get()
    await documents.prepare([{ ...view }])
    expect(database.sql('PRAGMA schema_version').get()).toEqual(version)
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
