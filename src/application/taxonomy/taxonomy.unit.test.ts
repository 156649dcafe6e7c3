import { expect, it } from 'vitest'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { inOrder } from './order.ts'
import { addEntry, moveEntry } from './taxonomy.ts'
import { taxonomyAggregate } from '#domain/taxonomy/taxonomy.ts'

/** A set, as its owner adds to it and moves in it. */
const categories = async (...names: readonly string[]) => {
  const { app } = testApplication()
  const ids = new Map<string, string>()
  const add = async (name: string): Promise<void> => {
    const entry = { name, description: '', isActive: true, sortOrder: 0 }
    ids.set(name, (await addEntry(app, 'Category', entry, ownerCommand(`add ${name}`))).id)
  }
  let moves = 0
  const move = (name: string, before: string) =>
    moveEntry(
      app,
      'Category',
      ids.get(name) ?? '',
      ids.get(before) ?? '',
      null,
      ownerCommand(`move ${(moves += 1)}`),
    )
  const shown = async () => {
    const entries = [...(await app.executor.load(taxonomyAggregate('Category'))).values()]
    return entries.toSorted(inOrder).map(({ name }) => name)
  }
  for (const name of names) await add(name)
  return { add, move, shown }
}

it('two that are moved at once both stand where they were put', async () => {
  const { move, shown } = await categories('a', 'b', 'c', 'd')
  await Promise.all([move('d', 'a'), move('c', 'a')])
  expect(await shown()).toEqual(['d', 'c', 'a', 'b'])
})

it('one that is moved to the front again, past another and beside a new one, stands there', async () => {
  const { add, move, shown } = await categories('a', 'b', 'c')
  await move('c', 'a')
  await move('b', 'c')
  await add('d')
  await move('c', 'b')
  expect(await shown()).toEqual(['c', 'b', 'a', 'd'])
})
