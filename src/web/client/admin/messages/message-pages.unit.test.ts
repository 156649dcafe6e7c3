import { expect, it } from 'vitest'
import type { ContactMessage } from '#web/contract/messages.ts'
import { joined } from './use-message-pages.ts'

const message = (id: string, isRead = false): ContactMessage => ({
  id,
  name: 'Ritu Khanna',
  email: 'ritu@example.com',
  subject: 'purchase',
  message: 'Is it still available?',
  artworkId: '',
  artworkTitle: '',
  isRead,
  mail: 'off',
  version: 1,
  createdAt: '2026-01-20T09:00:00.000Z',
})

const expectOrder = (messages: readonly ContactMessage[], ids: string): void =>
  expect(messages.map(({ id }) => id).join('')).toBe(ids)

it('begins with the newest, also with one that came while the older ones were fetched', () => {
  expectOrder(joined([message('d'), message('c')], [message('c'), message('b'), message('a')]), 'dcba')
})

it('shows of a newest one what it is now', () => {
  const [newest] = joined([message('b', true)], [message('b'), message('a')])
  expect(newest?.isRead).toBe(true)
})

it('goes on where the newest ones end, also once one of them was erased', () => {
  expectOrder(joined([message('c'), message('a')], [message('c')]), 'ca')
  expectOrder(joined([message('c'), message('a')], [message('c'), message('b'), message('a')]), 'ca')
})
