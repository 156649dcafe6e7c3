import { expect, test } from 'vitest'
import { mailLink, waysToTell, whatsappLink } from './ask.ts'

test('the letter names the work in its subject and in its first line, and where it is to be seen', () => {
  const link = new URL(mailLink('a@example.org', 'Four O’Clock & After', 'https://x.example/artwork/1'))
  expect(link.pathname).toBe('a@example.org')
  expect(link.searchParams.get('subject')).toBe('Four O’Clock & After')
  expect(link.searchParams.get('body')).toBe(
    'I would like to know more about “Four O’Clock & After”.\n\nhttps://x.example/artwork/1',
  )
})

test('the chat names the work', () => {
  const link = new URL(whatsappLink('+91 98200 12345', 'Haldi', null) ?? '')
  expect(link.href).toMatch(/^https:\/\/wa\.me\/919820012345\?/)
  expect(link.searchParams.get('text')).toBe('I would like to know more about “Haldi”.')
})

test('a payment is told by what there is: mail, else the form, and a chat where there is a number', () => {
  expect(waysToTell(true, true)).toBe('e-mail or WhatsApp')
  expect(waysToTell(true, false)).toBe('e-mail')
  expect(waysToTell(false, true)).toBe('WhatsApp or the form')
  expect(waysToTell(false, false)).toBe('the form')
})
