import { expect, it } from 'vitest'
import { asStored, type Documents } from '#application/kernel/ports/documents.ts'
import type { Account } from '#application/kernel/ports/accounts.ts'
import type { Passwords } from '#application/kernel/ports/passwords.ts'
import { checkAccounts, lookThrough } from './doctor-data.ts'

it.each([
  ['is well', 'a wall of lime wash', 'a wall of lime wash', []],
  ['is well', null, 'a password of your own', []],
  ['is well once she has chosen another', 'a password of your own', 'a wall of lime wash', []],
  [
    'is a problem',
    'a password of your own',
    'a password of your own',
    [{ check: 'accounts', level: 'problem', message: expect.stringContaining('admin set-password') }],
  ],
])('an account %s: %s in the settings, %s in use', async (_, adminPassword, inUse, expected) => {
  // What is asked of the account alone.
  const account = { passwordHash: inUse } as Account
  const engines = {
    accounts: { count: async () => 1, findByUsername: async () => account },
    eventStore: { head: async () => null },
  }
  const passwords: Pick<Passwords, 'isCommon' | 'verify'> = {
    isCommon: (password) => password.startsWith('a password'),
    verify: async (hash, password) => hash === password,
  }
  expect(await checkAccounts(engines, { adminUsername: 'admin', adminPassword }, passwords)).toEqual(expected)
})

it('looks through the documents of a view, few of them at once', async () => {
  const all = Array.from({ length: 250 }, (_, n) => {
    const id = `p${1000 + n}`
    return asStored(id, n === 30 || n === 230 ? null : { id, position: n === 7 ? '9' : '3' })
  })
  const asked: unknown[] = []
  const findStored = (async (_view, { after, limit }) => {
    asked.push(limit)
    return all.filter(({ id }) => id > String(after?.[0] ?? '')).slice(0, limit)
  }) as Documents['findStored']
  const { newest, bad } = await lookThrough({ findStored }, { name: 'posts', version: 1, indexes: [] })
  expect([...newest]).toEqual([['posts p1007', '9']])
  expect(bad).toEqual(['p1030', 'p1230'])
  expect(asked).toEqual([100, 100, 100])
})
