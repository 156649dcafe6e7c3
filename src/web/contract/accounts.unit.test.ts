import { describe, expect, it } from 'vitest'
import { credentials, passwordChange } from './accounts.ts'
import { refusal } from './testing/refusal.ts'

describe('the login', () => {
  it.each([{}, { username: '', password: '' }, { username: null, password: null }])(
    'needs both fields: %j',
    (value) => {
      expect(refusal(credentials, value).fields).toEqual({
        username: 'Username is required',
        password: 'Password is required',
      })
    },
  )

  it('takes the password as it is typed', () => {
    expect(credentials.parse({ username: ' admin ', password: '  a b ' })).toEqual({
      username: 'admin',
      password: '  a b ',
    })
  })

  it('refuses objects, as a query against a document store would be', () => {
    expect(refusal(credentials, { username: { $ne: null }, password: { $ne: null } }).fields).toEqual({
      username: 'Username must be text',
      password: 'Password must be text',
    })
  })
})

describe('a new password', () => {
  it.each([
    ['', 'New password is required'],
    ['x'.repeat(7), 'New password must have 8 to 128 characters'],
    ['x'.repeat(129), 'New password must have 8 to 128 characters'],
  ])('of %j is refused', (newPassword, message) => {
    expect(refusal(passwordChange, { currentPassword: 'x', newPassword }).fields).toEqual({
      newPassword: message,
    })
  })

  it.each([8, 128])('of %d characters is taken', (length) => {
    const change = { currentPassword: 'x', newPassword: ' '.repeat(length) }
    expect(passwordChange.parse(change)).toEqual(change)
  })
})
