import { describe, expect, it } from 'vitest'
import { newMessage } from './messages.ts'
import { refusal } from './testing/refusal.ts'
import { sampleArtwork } from './testing/samples.ts'

const least = { name: 'Asha', email: 'asha@mail.example', subject: 'purchase', message: 'Is it for sale?' }

describe('an enquiry', () => {
  it('needs four fields', () => {
    expect(refusal(newMessage, {}).fields).toEqual({
      name: 'Name is required',
      email: 'Email is required',
      subject: 'Please select a subject',
      message: 'Message is required',
    })
    expect(newMessage.parse(least)).toEqual(least)
  })

  it.each(['', 'other', null, 5])(
    'with the subject %j is refused in the words of the specification',
    (subject) => {
      expect(refusal(newMessage, { ...least, subject }).fields).toEqual({
        subject: 'Please select a subject',
      })
    },
  )

  it.each([
    ['name', 'x'.repeat(100), 'x'.repeat(101)],
    ['email', `${'x'.repeat(60)}@${'y'.repeat(60)}.example`, `${'x'.repeat(250)}@m.example`],
    ['message', 'x'.repeat(5_000), 'x'.repeat(5_001)],
  ])('%s has its limit', (key, fits, tooLong) => {
    expect(newMessage.safeParse({ ...least, [key]: fits }).success).toBe(true)
    expect(Object.keys(refusal(newMessage, { ...least, [key]: tooLong }).fields ?? {})).toEqual([key])
  })

  it.each(['asha', 'asha@', '@mail.example', 'asha@mail', 'a b@mail.example'])(
    'refuses the address %s',
    (email) => {
      expect(refusal(newMessage, { ...least, email }).fields).toEqual({
        email: 'Email must look like name@example.com',
      })
    },
  )

  it('keeps the lines of the message and makes the name one line, so that no mail header can be forged', () => {
    expect(newMessage.parse({ ...least, name: 'Asha\r\nBcc: x@y.z', message: 'a\r\nb' })).toMatchObject({
      name: 'Asha Bcc: x@y.z',
      message: 'a\nb',
    })
  })

  it('takes whatever a robot writes into the honeypot', () => {
    const website = 'https://spam.example/'.repeat(1_000)
    expect(newMessage.parse({ ...least, website })).toHaveProperty('website', website)
  })

  it('comes from a form without JavaScript with empty hidden fields', () => {
    expect(newMessage.parse({ ...least, artworkId: '', website: '', openedAt: '' })).toEqual({
      ...least,
      website: '',
    })
  })

  it('names its work and the time at which the form was opened', () => {
    const more = { artworkId: sampleArtwork.id, openedAt: '2025-01-31T10:00:00+05:30' }
    expect(newMessage.parse({ ...least, ...more })).toEqual({ ...least, ...more })
    expect(refusal(newMessage, { ...least, artworkId: 'x', openedAt: 'yesterday' }).fields).toEqual({
      artworkId: 'artworkId must be the id of a work',
      openedAt: 'openedAt must be a time such as 2025-01-31T10:00:00Z',
    })
  })

  it('refuses unknown keys', () => {
    expect(refusal(newMessage, { ...least, isRead: true }).fields).toHaveProperty('isRead')
  })
})
