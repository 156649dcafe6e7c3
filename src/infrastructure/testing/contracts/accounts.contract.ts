import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Account, Accounts } from '#application/kernel/ports/accounts.ts'

const someAccount = (id: string, username: string): Account => ({
  id,
  username,
  email: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  firstPassword: true,
  firstStepsAway: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
})

/** The rules of every store of accounts. `open` gives an empty one each time. */
export const accountsContract = (
  name: string,
  open: () => Promise<{ readonly accounts: Accounts; readonly close: () => Promise<void> }>,
): void => {
  describe(`accounts: ${name}`, () => {
    let accounts: Accounts
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ accounts, close } = await open())
    })
    afterEach(async () => close())

    it('has nobody at first', async () => {
      expect(await accounts.count()).toBe(0)
      expect(await accounts.all()).toEqual([])
      expect(await accounts.find('a1')).toBeNull()
      expect(await accounts.findByUsername('admin')).toBeNull()
    })

    it('gives back the first account as it was added', async () => {
      const account: Account = {
        ...someAccount('a1', 'Asha'),
        email: 'asha@example.com',
        firstName: 'Asha',
        lastName: 'राव',
        profileImageUrl: '/images/x.jpg',
        firstPassword: false,
        firstStepsAway: true,
      }
      expect(await accounts.addFirst(account)).toBe(true)
      expect(await accounts.find('a1')).toEqual(account)
      expect(await accounts.all()).toEqual([account])
      expect(await accounts.count()).toBe(1)
    })

    it('keeps unset fields null and the mark of a first password', async () => {
      await accounts.addFirst(someAccount('a1', 'admin'))
      expect(await accounts.find('a1')).toEqual(someAccount('a1', 'admin'))
    })

    it.each(['Élodie', 'ÉLODIE', 'élodie', 'E\u0301lodie'])('finds Élodie by %s', async (typed) => {
      await accounts.addFirst(someAccount('a1', 'Élodie'))
      expect((await accounts.findByUsername(typed))?.id).toBe('a1')
    })

    it('finds nobody by a part of the name or a pattern', async () => {
      await accounts.addFirst(someAccount('a1', 'admin'))
      for (const typed of ['adm', 'admi%', '.*', '', 'admin ']) {
        expect(await accounts.findByUsername(typed)).toBeNull()
      }
    })

    it('adds only while there is nobody', async () => {
      await accounts.addFirst(someAccount('a1', 'admin'))
      expect(await accounts.addFirst(someAccount('a2', 'second'))).toBe(false)
      expect(await accounts.addFirst(someAccount('a1', 'admin'))).toBe(false)
      expect(await accounts.all()).toEqual([someAccount('a1', 'admin')])
    })

    it('lets exactly one of several first accounts win', async () => {
      const won = await Promise.all(
        Array.from({ length: 8 }, (_, n) => accounts.addFirst(someAccount(`a${n}`, `user${n}`))),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await accounts.count()).toBe(1)
    })

    it('puts other accounts in the place of all that are there', async () => {
      await accounts.addFirst(someAccount('a1', 'admin'))
      const others = [someAccount('b1', 'ADMIN'), { ...someAccount('b2', 'Asha'), firstPassword: false }]
      await accounts.replaceAll(others)
      expect(await accounts.all()).toEqual(others)
      expect(await accounts.find('a1')).toBeNull()
      expect((await accounts.findByUsername('admin'))?.id).toBe('b1')
      expect(await accounts.addFirst(someAccount('a2', 'second'))).toBe(false)
      await accounts.replaceAll([])
      expect(await accounts.count()).toBe(0)
    })

    it('changes a password, which is the first one no longer', async () => {
      await accounts.addFirst(someAccount('a1', 'admin'))
      const at = '2026-02-02T00:00:00.000Z'
      expect(await accounts.setPassword('a1', '$argon2id$other', at)).toBe(true)
      expect(await accounts.find('a1')).toEqual({
        ...someAccount('a1', 'admin'),
        passwordHash: '$argon2id$other',
        firstPassword: false,
        updatedAt: at,
      })
    })

    it('changes a password only in the place of the one it is to replace, when told of it', async () => {
      await accounts.addFirst(someAccount('a1', 'admin'))
      const { passwordHash } = someAccount('a1', 'admin')
      const at = '2026-02-02T00:00:00.000Z'
      expect(await accounts.setPassword('a1', '$argon2id$b', at, '$argon2id$another')).toBe(false)
      expect(await accounts.find('a1')).toEqual(someAccount('a1', 'admin'))
      const tries = ['c', 'd', 'e'].map((hash) => accounts.setPassword('a1', hash, at, passwordHash))
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
    })

    it('keeps that the first steps were put away or brought back, and changes nothing else', async () => {
      await accounts.addFirst(someAccount('a1', 'admin'))
      expect(await accounts.setFirstStepsAway('a1', true)).toBe(true)
      expect(await accounts.find('a1')).toEqual({ ...someAccount('a1', 'admin'), firstStepsAway: true })
      expect(await accounts.setFirstStepsAway('a1', true)).toBe(true)
      expect(await accounts.setFirstStepsAway('a1', false)).toBe(true)
      expect(await accounts.find('a1')).toEqual(someAccount('a1', 'admin'))
      expect(await accounts.setFirstStepsAway('a9', true)).toBe(false)
    })

    it('changes no password of an account that is not there', async () => {
      expect(await accounts.setPassword('a9', '$argon2id$other', '2026-02-02T00:00:00.000Z')).toBe(false)
    })
  })
}
