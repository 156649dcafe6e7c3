/** Time and fresh ids come in from outside, so that decisions and tests can name them. */
export interface Clock {
  readonly now: () => Date
  /** a new random UUID */
  readonly newId: () => string
}
