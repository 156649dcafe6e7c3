import { expect, it } from 'vitest'
import type { ContactMessage } from '#web/contract/messages.ts'
import { messagesWith } from './use-message-pages.ts'

const message = (fields: Partial<ContactMessage>): ContactMessage => ({
  id: 'id',
  name: 'Ritu Khanna',
  email: 'ritu@example.com',
  subject: 'purchase',
  message: 'Is it still available?',
  isRead: false,
  artworkId: '',
  artworkTitle: 'Haldi',
  mail: 'off',
  version: 1,
  createdAt: '2026-11-14T09:12:00.000Z',
  ...fields,
})

it.each(['khanna', 'EXAMPLE.COM', 'purchase existing', 'haldi', 'still ritu', ''])('finds by %j', (text) => {
  expect(messagesWith([message({})], text)).toHaveLength(1)
})

it('finds nothing when one word is missing', () => {
  expect(messagesWith([message({})], 'ritu monsoon')).toEqual([])
})
