import { createRequire } from 'node:module'
import type * as Language from '@zxcvbn-ts/language-common'

/** How many of the commonest passwords are refused. */
const refused = 3_000
const shortest = 8
/** What the papers of Atelier once had in its place, to be copied: whoever reads them knows it. */
const published = 'a password of your own'

const readCommonest = (): ReadonlySet<string> => {
  const require = createRequire(import.meta.url)
  // What the package gives, as its types say.
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof Language
  const commonest = dictionary['passwords-common']
    .filter(({ length }) => length >= shortest)
    .slice(0, refused)
  // It holds sixteen times as many, which nobody asks for: it is let go, and none of ours is a piece of its text.
  for (const file of Object.keys(require.cache)) if (file.includes('@zxcvbn-ts')) delete require.cache[file]
  return new Set([published, ...structuredClone(commonest)])
}

/**
 * The commonest passwords that would otherwise be allowed, in lower case. The package lists leaked passwords
 * by frequency, the commonest first.
 */
export const commonest = readCommonest()
