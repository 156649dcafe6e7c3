/** A signed-in browser. `key` is a hash of the cookie's value, which itself is stored nowhere. */
export interface Session {
  readonly key: string
  /** public id, for the list of sessions */
  readonly id: string
  readonly accountId: string
  readonly createdAt: string
  readonly lastSeenAt: string
  /** ISO 8601: after this it counts as gone, whether swept or not */
  readonly expiresAt: string
  readonly device: string
  readonly address: string
  /** tells of which password it was begun; null for one begun before this was kept */
  readonly credentialVersion: string | null
}

export interface Sessions {
  /** Null when unknown or expired. */
  readonly find: (key: string, now: string) => Promise<Session | null>
  readonly save: (session: Session) => Promise<void>
  /** Notes use and expiry of one that is still there; one that was ended stays ended: false. */
  readonly touch: (key: string, lastSeenAt: string, expiresAt: string) => Promise<boolean>
  /** Lets one that is still there go on under another password. */
  readonly setCredentialVersion: (key: string, credentialVersion: string) => Promise<void>
  readonly remove: (key: string) => Promise<void>
  readonly listByAccount: (accountId: string, now: string) => Promise<readonly Session[]>
  /** Ends one by its public id; false when it is not there. */
  readonly removeById: (accountId: string, id: string) => Promise<boolean>
  /** Ends all of an account but one; answers how many. */
  readonly removeOthers: (accountId: string, exceptKey: string | null) => Promise<number>
  readonly sweep: (now: string) => Promise<number>
}
