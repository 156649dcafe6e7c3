import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Passwords } from '#application/ports/passwords.ts'

/** OWASP's second recommended setting for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const tagLength = 32

const derive = promisify(argon2)
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

const tagOf = (
  password: string,
  nonce: Uint8Array,
  parameters: { readonly memory: number; readonly passes: number; readonly parallelism: number },
): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...parameters })

/** argon2id by Node's own implementation; hashes are PHC strings that any argon2 library reads. */
export const createPasswords = (): Passwords => {
  let commonest: Promise<ReadonlySet<string>> | undefined
  // What an unknown name is checked against, so that it takes as long as a wrong password.
  const nobody = { nonce: randomBytes(16), tag: randomBytes(tagLength) }
  return {
    hash: async (password) => {
      const nonce = randomBytes(16)
      const tag = await tagOf(password, nonce, cost)
      const { memory, passes, parallelism } = cost
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
    },
    verify: async (hash, password) => {
      const parts = hash === null ? null : phc.exec(hash)
      if (hash !== null && parts === null) throw new Error('The stored password hash is not in the PHC form')
      if (parts === null) {
        timingSafeEqual(await tagOf(password, nobody.nonce, cost), nobody.tag)
        return false
      }
      const [, memory, passes, parallelism, nonce = '', tag = ''] = parts
      const computed = await tagOf(password, Buffer.from(nonce, 'base64'), {
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
      })
      const stored = Buffer.from(tag, 'base64')
      return computed.length === stored.length && timingSafeEqual(computed, stored)
    },
    isCommon: async (password) => {
      commonest ??= import('./commonest.ts').then((list) => list.readCommonest())
      return (await commonest).has(password.toLowerCase())
    },
  }
}
