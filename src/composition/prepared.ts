export interface Prepared {
  /** the password that was made up for the first account, to be shown once; null when none was */
  readonly firstPassword: string | null
  /** hashes of the sample images, whose sizes are still to be made; none when no samples were added */
  readonly images: readonly string[]
}

export const nothingPrepared: Prepared = { firstPassword: null, images: [] }
