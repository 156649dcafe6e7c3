import { dictionary } from '@zxcvbn-ts/language-common'

/** How many of the commonest passwords are refused. */
const refused = 3_000
const shortest = 8

/**
 * The commonest passwords that would otherwise be allowed, in lower case. The package lists leaked passwords
 * by frequency, the commonest first.
 */
export const readCommonest = (): ReadonlySet<string> =>
  new Set(dictionary['passwords-common'].filter((password) => password.length >= shortest).slice(0, refused))
