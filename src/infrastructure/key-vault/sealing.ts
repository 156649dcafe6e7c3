import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Bytes of a wrapped key: nonce, key, tag. The same for every key. */
export const wrappedBytes = 12 + 32 + 16

/** What was sealed cannot be opened: it was changed, or belongs to another subject or another secret. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} cannot be opened: it was changed, or was made under another SECRET`, options)
  }
}

/** What `open` gives; null when the seal is broken. */
export const unlessBroken = <T>(open: () => T): T | null => {
  try {
    return open()
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

/** A keys file opens by itself: what it holds is sealed anew under the secret of the place that it is restored into. */
export const whereSecretIsLost =
  'Where that is lost, restore the newest backup with its keys file into another place, which has a secret of its own. Without a ' +
  'backup, "atelier events export" under any SECRET takes all but for the letters: bring that into another DATA_DIR with ' +
  '"atelier events import", copy the folder files beside it, and count the letters as erased with "atelier events accept --letters"'

/** `SECRET` is not the one the vault was written with. The message is for people. */
export class SecretMismatch extends Error {
  override readonly name = 'SecretMismatch'

  constructor() {
    super(
      'SECRET, or the file secret in DATA_DIR where it is not set, is not the one that the stored messages were sealed with: ' +
        'start with the former one, under which "atelier backup" makes what "atelier restore" brings under a new one elsewhere. ' +
        whereSecretIsLost,
    )
  }
}

/** Sealing under one site's secret, the same on every engine. */
export interface Sealing {
  /** A text that only this secret gives, kept beside the keys to refuse another one; it tells nothing of it. */
  readonly proof: string
  /** A fresh random key for a subject, wrapped. */
  readonly newKey: (subjectId: string) => Buffer
  /** The same for a key that was made elsewhere, 32 bytes. @throws RangeError for another length */
  readonly wrap: (subjectId: string, key: Uint8Array) => Buffer
  /** The key itself, to be taken out of the vault. @throws {SealBroken} */
  readonly unwrap: (wrapped: Uint8Array, subjectId: string) => Buffer
  /** Seals a text under a wrapped key of the subject's own. */
  readonly seal: (wrapped: Uint8Array, subjectId: string, plaintext: string) => string
  /** @throws {SealBroken} */
  readonly open: (wrapped: Uint8Array, subjectId: string, sealed: string) => string
}

const nonceBytes = 12
const keyBytes = 32
const tag = 16
const format = 'v1.'

/** nonce, ciphertext, tag. `bound` must be the same when it is opened. */
const encrypt = (key: Uint8Array, plain: Uint8Array, bound: string): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

const decrypt = (key: Uint8Array, sealed: Uint8Array, bound: string, what: string): Buffer => {
  if (sealed.length < nonceBytes + tag) throw new SealBroken(what)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), {
      authTagLength: tag,
    })
      .setAAD(Buffer.from(bound))
      .setAuthTag(sealed.subarray(sealed.length - tag))
    const plain = decipher.update(sealed.subarray(nonceBytes, sealed.length - tag))
    return Buffer.concat([plain, decipher.final()])
  } catch (error) {
    throw new SealBroken(what, { cause: error })
  }
}

const derive = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'atelier key vault', purpose, 32))

/**
 * AES-256-GCM from node:crypto: a random key per subject, itself kept only wrapped under a key that HKDF
 * makes of the secret. Both are bound to the subject's id, so that nothing can be moved to another message.
 * @param secret the site's `SECRET`
 */
export const sealingUnder = (secret: string): Sealing => {
  const wrapping = derive(secret, 'wrap keys v1')
  const unwrap = (wrapped: Uint8Array, subjectId: string): Buffer =>
    decrypt(wrapping, wrapped, `key of ${subjectId}`, `The key of message ${subjectId}`)
  const wrap = (subjectId: string, key: Uint8Array): Buffer => {
    if (key.length !== keyBytes)
      throw new RangeError(`The key of message ${subjectId} has not ${keyBytes} bytes`)
    return encrypt(wrapping, key, `key of ${subjectId}`)
  }
  return {
    proof: derive(secret, 'proof v1').toString('base64url'),
    newKey: (subjectId) => wrap(subjectId, randomBytes(keyBytes)),
    wrap,
    unwrap,
    seal: (wrapped, subjectId, plaintext) =>
      format + encrypt(unwrap(wrapped, subjectId), Buffer.from(plaintext), subjectId).toString('base64url'),
    open: (wrapped, subjectId, sealed) => {
      const what = `A text of message ${subjectId}`
      if (!sealed.startsWith(format)) throw new SealBroken(what)
      const bytes = Buffer.from(sealed.slice(format.length), 'base64url')
      return decrypt(unwrap(wrapped, subjectId), bytes, subjectId, what).toString()
    },
  }
}
