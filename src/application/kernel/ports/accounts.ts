/** The owner's account. Credentials and sessions are state, not events. */
export interface Account {
  readonly id: string
  readonly username: string
  readonly email: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly profileImageUrl: string | null
  /** PHC string, argon2id */
  readonly passwordHash: string
  /** the password is still the one made at the very first start */
  readonly firstPassword: boolean
  /** she has put the list of first steps away */
  readonly firstStepsAway: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

/** How usernames are compared: two with the same key are the same. */
export const usernameKey = (username: string): string => username.normalize('NFKC').toLowerCase()

export interface Accounts {
  readonly count: () => Promise<number>
  /** By username, compared case-insensitively. */
  readonly findByUsername: (username: string) => Promise<Account | null>
  readonly find: (id: string) => Promise<Account | null>
  /** Adds the account only while there is none at all; false when somebody was first. */
  readonly addFirst: (account: Account) => Promise<boolean>
  /**
   * False when there is no such account.
   * @param instead of this hash only: false when it is another one by now
   */
  readonly setPassword: (id: string, passwordHash: string, at: string, instead?: string) => Promise<boolean>
  /** Puts the list of first steps away, or brings it back. False when there is no such account. */
  readonly setFirstStepsAway: (id: string, away: boolean) => Promise<boolean>
  /** Puts these in the place of all that are there, for a restore; broken off, it can be done again. */
  readonly replaceAll: (accounts: readonly Account[]) => Promise<void>
  readonly all: () => Promise<readonly Account[]>
}
