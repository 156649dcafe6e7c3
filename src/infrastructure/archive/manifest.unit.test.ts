import { expect, it } from 'vitest'
import { parseAccounts } from './manifest.ts'

const account = {
  id: 'one',
  username: 'Asha',
  email: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  firstPassword: false,
  firstStepsAway: false,
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
}

it.each([
  ['of one id', { id: 'one', username: 'Ravi' }],
  ['that sign in by one name', { id: 'two', username: 'asha' }],
])('two accounts %s are refused before any is brought', (_, other) => {
  expect(parseAccounts(JSON.stringify([account, { ...account, id: 'two', username: 'Ravi' }]))).toHaveLength(
    2,
  )
  expect(() => parseAccounts(JSON.stringify([account, { ...account, ...other }]))).toThrow(
    'accounts.json in the backup is damaged',
  )
})
