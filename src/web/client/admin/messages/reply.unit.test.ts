import { expect, it } from 'vitest'
import { mailReply, whatsappReply } from './reply.ts'

const asked = {
  name: 'Ritu',
  email: 'ritu@example.com',
  subject: 'purchase',
  message: 'Is it still available?\nMy number: +91 98200 12345.',
  artworkTitle: 'Neel, after the Rains',
} as const

it('answers by e-mail with the work named and the letter quoted', () => {
  const link = new URL(mailReply(asked))
  expect(link.pathname).toBe('ritu@example.com')
  expect(link.searchParams.get('subject')).toBe('Re: Neel, after the Rains')
  expect(link.searchParams.get('body')).toContain('“Neel, after the Rains”')
  expect(link.searchParams.get('body')).toContain('> Is it still available?\n> My number')
})

it('names the subject where there is no work', () => {
  const link = new URL(mailReply({ ...asked, artworkTitle: '' }))
  expect(link.searchParams.get('subject')).toBe('Re: Purchase Existing Work')
})

it('quotes the beginning of a long letter, whatever character it is cut at', () => {
  const quoted = (message: string) => new URL(mailReply({ ...asked, message })).searchParams.get('body')
  expect(quoted(`${'x'.repeat(999)}😀 and more`)).toContain(`> ${'x'.repeat(999)}…`)
  expect(quoted(`${'x'.repeat(998)}😀 and more`)).toContain(`> ${'x'.repeat(998)}😀…`)
})

it('lets nobody smuggle in other fields of the mail', () => {
  const link = mailReply({ ...asked, email: 'a@b.example?cc=c@d.example', artworkTitle: 'A&bcc=e@f.example' })
  expect([...new URL(link).searchParams.keys()]).toEqual(['subject', 'body'])
})

it('writes on WhatsApp to the number in the letter', () => {
  const link = new URL(whatsappReply(asked) ?? '')
  expect(link.pathname).toBe('/919820012345')
  expect(link.searchParams.get('text')).toContain('“Neel, after the Rains”')
})

it.each([
  ['Pune 411001. 98200 12345', '919820012345'],
  ['30.11.2025: 098200-12345', '919820012345'],
  ['91 98200 12345, please', '919820012345'],
  ['91-98200-12345', '919820012345'],
  ['+65 9123 4567. 600 × 800 mm?', '6591234567'],
  ['0044 20 7946 0958', '442079460958'],
  ['+1 (212) 555-0123', '12125550123'],
  ['+91 98200 12345 10 am', '919820012345'],
  ['Mob.9820012345', '919820012345'],
])('finds in %j the number %s', (message, number) => {
  expect(new URL(whatsappReply({ ...asked, message }) ?? '').pathname).toBe(`/${number}`)
})

it.each([
  'Call me',
  'For ₹1,40,000?',
  '122 × 81 cm',
  'My budget is 60000-70000',
  'Call 07911 123456 or 07911123456',
  '(646) 555-0123, 917-555-0123',
  '090-1234-5678, 0917 123 4567',
  'On 8-12-2026 9.30',
  'From 30.11.2025 to 12.01.2026',
  'Paid, UTR 533412345678',
  'I have 98200\n12345 is the code',
])('has no chat where %j holds no number', (message) => {
  expect(whatsappReply({ ...asked, message })).toBeNull()
})
