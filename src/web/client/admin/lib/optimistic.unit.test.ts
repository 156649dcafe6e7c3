import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import { patchItem, removeItem, replaceList } from './optimistic.ts'

type Item = { id: string; isRead: boolean; note: string }
const KEY = ['/api', 'items']
const item = (id: string): Item => ({ id, isRead: false, note: '' })
let client: QueryClient
const ids = (): string => (client.getQueryData<Item[]>(KEY) ?? []).map(({ id }) => id).join('')

beforeEach(() => {
  client = new QueryClient()
  client.setQueryData(KEY, [item('a'), item('b'), item('c')])
})

it('shows a changed field at once, and takes only that field back', () => {
  const back = patchItem<Item>(KEY, 'b', { isRead: true })(client)
  client.setQueryData<Item[]>(KEY, (list) =>
    list?.map((each) => (each.id === 'b' ? { ...each, note: 'meanwhile' } : each)),
  )
  expect(client.getQueryData<Item[]>(KEY)?.[1]).toEqual({ id: 'b', isRead: true, note: 'meanwhile' })
  back()
  expect(client.getQueryData<Item[]>(KEY)?.[1]).toEqual({ id: 'b', isRead: false, note: 'meanwhile' })
})

it('takes an item out, and puts it back where it stood', () => {
  const back = removeItem<Item>(KEY, 'b')(client)
  expect(ids()).toBe('ac')
  back()
  expect(ids()).toBe('abc')
})

it('puts an item back once, also where the list was fetched meanwhile', () => {
  const back = removeItem<Item>(KEY, 'b')(client)
  client.setQueryData(KEY, [item('a'), item('b'), item('c')])
  back()
  expect(ids()).toBe('abc')
})

it('puts another list in its place, and the one before back', () => {
  const back = replaceList<Item>(KEY, (list) => list.toReversed())(client)
  expect(ids()).toBe('cba')
  back()
  expect(ids()).toBe('abc')
})

it('does nothing where the list is not loaded', () => {
  client.clear()
  removeItem<Item>(KEY, 'b')(client)()
  expect(client.getQueryData(KEY)).toBeUndefined()
})
