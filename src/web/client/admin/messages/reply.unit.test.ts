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

it.each(['Call me', 'For ₹1,40,000?', '122 × 81 cm'])('has no chat where %j holds no number', (message) => {
  expect(whatsappReply({ ...asked, message })).toBeNull()
})
