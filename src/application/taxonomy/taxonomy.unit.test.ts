import { expect, it } from 'vitest'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { inOrder } from './order.ts'
import { addEntry, moveEntry } from './taxonomy.ts'
import { taxonomyAggregate } from '#domain/taxonomy/taxonomy.ts'

it('two that are moved at once both stand where they were put', async () => {
  const { app } = testApplication()
  const ids = new Map<string, string>()
  for (const name of ['a', 'b', 'c', 'd']) {
    const entry = { name, description: '', isActive: true, sortOrder: 0 }
    ids.set(name, (await addEntry(app, 'Category', entry, ownerCommand(name))).id)
  }
  const toTheFront = (name: string) =>
    moveEntry(app, 'Category', ids.get(name) ?? '', ids.get('a') ?? '', null, ownerCommand(`move ${name}`))
  await Promise.all([toTheFront('d'), toTheFront('c')])
  const entries = [...(await app.executor.load(taxonomyAggregate('Category'))).values()]
  expect(entries.toSorted(inOrder).map(({ name }) => name)).toEqual(['d', 'c', 'a', 'b'])
})
