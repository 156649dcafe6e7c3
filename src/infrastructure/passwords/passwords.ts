import type { Logger } from '#application/kernel/ports/logger.ts'
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { atMost } from '#application/kernel/turns.ts'
import { type Passwords, PasswordsBusy, PasswordUnreadable } from '#application/kernel/ports/passwords.ts'

interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's second recommended setting for argon2id: 19 MiB, two passes, one lane. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32
/** Nobody types more. Bringing a text into one form takes the square of its length, on the thread of everybody. */
const longestPassword = 1_000
/** Each takes tens of milliseconds: who would wait longer than these do is told to come again. */
const mostWaiting = 8

/** What a stored hash may ask of this machine: a damaged one must not take all of it. Memory in KiB, lengths in bytes. */
const bounds = {
  memory: [8, 64 * 1024],
  passes: [1, 10],
  parallelism: [1, 4],
  nonce: [8, 64],
  tag: [16, 64],
} as const
type Bounded = keyof typeof bounds
/** How long one takes goes with memory times passes: at most so many times as long as one of ours. */
const mostTimesOurs = 4

const derive = promisify(argon2)
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')

const phc =
  /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]{1,100})\$([A-Za-z0-9+/]{1,100})$/

/** @throws {PasswordUnreadable} for a text that is no PHC string of argon2id, or asks for too much */
const parsePhc = (hash: string): { readonly cost: Cost; readonly nonce: Buffer; readonly tag: Buffer } => {
  const [, m, t, p, ...encoded] = phc.exec(hash) ?? []
  const [nonce, tag] = encoded.map((each) => Buffer.from(each, 'base64'))
  if (nonce === undefined || tag === undefined) throw new PasswordUnreadable('It is not in the PHC form')
  const parts = { memory: Number(m), passes: Number(t), parallelism: Number(p) }
  const sizes: Readonly<Record<Bounded, number>> = { ...parts, nonce: nonce.length, tag: tag.length }
  for (const [name, [least, most]] of Object.entries(bounds)) {
    const size = sizes[name as Bounded] // the keys of the table above
    if (size < least || size > most)
      throw new PasswordUnreadable(`It asks for a ${name} of ${size}; ${least} to ${most} are taken`)
  }
  if (parts.memory * parts.passes > mostTimesOurs * cost.memory * cost.passes)
    throw new PasswordUnreadable(`It would take more than ${mostTimesOurs} times as long as one of ours`)
  return { cost: parts, nonce, tag }
}

/** What of a password counts: keyboards write the same one in several ways. */
const readOf = (password: string): string => password.normalize('NFKC')

const tagOf = (password: string, nonce: Uint8Array, parameters: Cost, length: number): Promise<Buffer> =>
  derive('argon2id', { message: readOf(password), nonce, tagLength: length, ...parameters })

/**
 * argon2id by Node's own implementation; hashes are PHC strings that any argon2 library reads.
 * @param log told of a stored hash that cannot be read, once: everybody can try to sign in
 */
export const createPasswords = (log: Pick<Logger, 'error'> = { error: () => undefined }): Passwords => {
  let isLogged = false
  const stored = (hash: string): ReturnType<typeof parsePhc> => {
    try {
      return parsePhc(hash)
    } catch (error) {
      if (!isLogged) log.error({ err: error }, 'A stored password cannot be read')
      isLogged = true
      throw error
    }
  }
  // What an unknown name is checked against, so that it takes as long as a wrong password.
  const nobody = { cost, nonce: randomBytes(16), tag: randomBytes(tagLength) }
  const line = { most: mostWaiting, full: () => new PasswordsBusy() }
  const inTurn = { known: atMost(1, line), stranger: atMost(1, line) } as const
  return {
    hash: async (password) => {
      if (password.length > longestPassword)
        throw new Error(`A password of more than ${longestPassword} characters is not hashed`)
      const nonce = randomBytes(16)
      const tag = await inTurn.known(() => tagOf(password, nonce, cost, tagLength))
      const { memory, passes, parallelism } = cost
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
    },
    verify: async (hash, password, who) => {
      const { tag, nonce, cost: asked } = hash === null ? nobody : stored(hash)
      const isTooLong = password.length > longestPassword
      // It costs as much as another: guesses that are free would be counted for as many names as somebody makes up.
      const computed = await inTurn[who](() => tagOf(isTooLong ? '' : password, nonce, asked, tag.length))
      return timingSafeEqual(computed, tag) && hash !== null && !isTooLong
    },
    isCommon: async (password) => {
      const { commonest } = await import('./commonest.ts')
      return password.length <= longestPassword && commonest.has(readOf(password).toLowerCase())
    },
  }
}
