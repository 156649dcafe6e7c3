import { describe, expect, it, vi } from 'vitest'
import { PasswordsBusy, PasswordUnreadable } from '#application/kernel/ports/passwords.ts'
import { createPasswords } from './passwords.ts'

describe('passwords', () => {
  const passwords = createPasswords()

  it('are hashed with argon2id as PHC strings, with a fresh nonce each', async () => {
    const [one, other] = await Promise.all([passwords.hash('kumkum'), passwords.hash('kumkum')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(other)
  })

  it('are recognised, and others are not', async () => {
    const hash = await passwords.hash('geru and neel')
    expect(await passwords.verify(hash, 'geru and neel', 'known')).toBe(true)
    expect(await passwords.verify(hash, 'geru and neel ', 'known')).toBe(false)
  })

  it('read a hash made by another library with another cost', async () => {
    // Reference vector of the PHC string form: argon2id, password "password", salt "somesalt".
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await passwords.verify(hash, 'password', 'known')).toBe(true)
  })

  it('belong to nobody without a hash', async () => {
    expect(await passwords.verify(null, 'anything', 'known')).toBe(false)
  })

  it.each([
    ['no PHC string', 'plain'],
    [
      'too much memory',
      '$argon2id$v=19$m=999999999,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    ],
    [
      'too many passes',
      '$argon2id$v=19$m=65536,t=4000,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    ],
    [
      'too many lanes',
      '$argon2id$v=19$m=65536,t=2,p=255$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    ],
    [
      'a salt of two bytes',
      '$argon2id$v=19$m=65536,t=2,p=1$c29t$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    ],
    [
      'as much as this machine can give, in parts that are each taken',
      '$argon2id$v=19$m=65536,t=10,p=4$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    ],
    ['an endless tag', `$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$${'A'.repeat(100_000)}`],
    ['a tag of nothing', '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$AA'],
  ])('are not compared with a stored hash that is damaged: %s', async (_, hash) => {
    const verified = passwords.verify(hash, 'password', 'known')
    await expect(verified).rejects.toThrow(PasswordUnreadable)
    await expect(verified).rejects.toThrow('"atelier admin set-password"')
  })

  it('that are stored damaged are told of once, however often somebody tries', async () => {
    const said: string[] = []
    const told = createPasswords({ error: (_context, message) => void said.push(message) })
    for (let n = 0; n < 3; n += 1)
      await expect(told.verify('plain', 'password', 'stranger')).rejects.toThrow(PasswordUnreadable)
    expect(said).toEqual(['A stored password cannot be read'])
  })

  it('of strangers wait in a short queue of their own, and keep nobody else out', async () => {
    const hash = await passwords.hash('geru and neel')
    const strangers = Promise.allSettled(
      Array.from({ length: 40 }, () => passwords.verify(hash, 'a guess', 'stranger')),
    )
    const known = Array.from({ length: 5 }, () => passwords.verify(hash, 'geru and neel', 'known'))
    expect(await Promise.all(known)).toEqual([true, true, true, true, true])
    const ends = await strangers
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(refused).toHaveLength(31)
    expect(refused[0]).toBeInstanceOf(PasswordsBusy)
  })

  it('of more than 1,000 characters are wrong ones, and are not hashed', async () => {
    const longest = 'क'.repeat(1_000)
    const hash = await passwords.hash(longest)
    expect(await passwords.verify(hash, longest, 'known')).toBe(true)
    expect(await passwords.verify(hash, `${longest}क`, 'known')).toBe(false)
    expect(await passwords.verify(null, `${longest}क`, 'known')).toBe(false)
    await expect(passwords.hash(`${longest}क`)).rejects.toThrow('more than 1000 characters')
  })

  it('of more than 1,000 characters are brought into no form, which takes the square of their length', async () => {
    const normalize = vi.spyOn(String.prototype, 'normalize')
    await passwords.verify(null, 'x'.repeat(1_001), 'known')
    const lengths = normalize.mock.contexts.map((text) => String(text).length)
    normalize.mockRestore()
    expect(lengths).toEqual([0])
  })

  it('of more than 1,000 characters wait in the same queue: no guess is counted that costs nothing', async () => {
    const guesses = Array.from({ length: 40 }, () => passwords.verify(null, 'x'.repeat(1_001), 'stranger'))
    const ends = await Promise.allSettled(guesses)
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(31)
  })

  it('that are common are known, in any case and width', async () => {
    expect(await passwords.isCommon('Football')).toBe(true)
    expect(await passwords.isCommon('Ｆｏｏｔｂａｌｌ')).toBe(true)
    expect(await passwords.isCommon('A password of your own')).toBe(true)
    expect(await passwords.isCommon('a wall of lime wash')).toBe(false)
  })
})
