/** Password hashing (argon2id, as PHC strings). */
export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  /** Takes the same time for a hash of `null` (no such account) as for a wrong password. */
  readonly verify: (hash: string | null, password: string) => Promise<boolean>
  /** Whether it is among the commonest 3,000 (decisions 103). */
  readonly isCommon: (password: string) => boolean | Promise<boolean>
}
