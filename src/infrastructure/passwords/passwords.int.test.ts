import { describe, expect, it } from 'vitest'
import { createPasswords } from '#infrastructure/passwords/passwords.ts'

describe('passwords', () => {
  const passwords = createPasswords()

  it('are hashed with argon2id as PHC strings, with a fresh nonce each', async () => {
    const [one, other] = await Promise.all([passwords.hash('kumkum'), passwords.hash('kumkum')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(other)
  })

  it('are recognised, and others are not', async () => {
    const hash = await passwords.hash('geru and neel')
    expect(await passwords.verify(hash, 'geru and neel')).toBe(true)
    expect(await passwords.verify(hash, 'geru and neel ')).toBe(false)
  })

  it('read a hash made by another library with another cost', async () => {
    // Reference vector of the PHC string form: argon2id, password "password", salt "somesalt".
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await passwords.verify(hash, 'password')).toBe(true)
  })

  it('belong to nobody without a hash', async () => {
    expect(await passwords.verify(null, 'anything')).toBe(false)
  })

  it('that are common are known, in any case', async () => {
    expect(await passwords.isCommon('Football')).toBe(true)
    expect(await passwords.isCommon('a wall of lime wash')).toBe(false)
  })
})
