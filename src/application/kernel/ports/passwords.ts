/**
 * Too many passwords are being looked at: hashing them takes a thread and tens of milliseconds each, and a queue
 * without an end would only be longer. The message is for people.
 */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'

  constructor() {
    super('Too many logins just now. Please try again in a moment')
  }
}

/** A stored password hash is damaged, or would take more than is sane. The message is for people. */
export class PasswordUnreadable extends Error {
  override readonly name = 'PasswordUnreadable'

  constructor(why: string) {
    super(
      'The stored password cannot be read. Whoever runs the server sets a new one with "atelier admin set-password"',
      { cause: new Error(why) },
    )
  }
}

/**
 * Whose password it is: of somebody who is or was signed in, or of anybody. Each kind has a thread and a short queue of
 * its own, so that strangers do not keep the others out.
 */
type PasswordSender = 'known' | 'stranger'

/** Password hashing (argon2id, as PHC strings), in two threads at most. */
export interface Passwords {
  /** For whoever may set a password. @throws Error for more than 1,000 characters; {PasswordsBusy} */
  readonly hash: (password: string) => Promise<string>
  /**
   * Takes the same time for a hash of `null` (no such account) as for a wrong password. One of more than 1,000
   * characters is a wrong one, whatever the hash.
   * @throws {PasswordsBusy} {PasswordUnreadable}
   */
  readonly verify: (hash: string | null, password: string, who: PasswordSender) => Promise<boolean>
  /** Whether it is among the commonest 3,000. */
  readonly isCommon: (password: string) => boolean | Promise<boolean>
}
