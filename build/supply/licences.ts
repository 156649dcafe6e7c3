/** Whether what ships may ship: every licence in it is on this list, or its package is among the exceptions. */

/** Licences under which something may ship, and why. All of them let a site be run and passed on with its notices. */
const allowed: Readonly<Record<string, string>> = {
  MIT: 'asks for its notice only',
  ISC: 'as MIT',
  'BSD-2-Clause': 'as MIT',
  'BSD-3-Clause': 'as MIT; names may not advertise',
  'Apache-2.0': 'asks for its notice and grants patents',
  'BlueOak-1.0.0': 'as MIT, in plain words',
  'CC0-1.0': 'gives up all rights',
  Unlicense: 'gives up all rights',
  'OFL-1.1': 'fonts: may be embedded and subset under another name than their own',
}

/** What ships under another licence, and why it may. */
const exceptions: readonly {
  readonly package: RegExp
  readonly licence: string
  readonly why: string
}[] = [
  {
    package: /^@img\/sharp-(?:libvips-|wasm32$|win32-)/,
    licence: 'LGPL-3.0-or-later',
    why:
      'libvips as a shared library of its own, unchanged, which sharp loads when it runs and which can be replaced ' +
      '(node_modules/@img); its source is at github.com/lovell/sharp-libvips',
  },
]

/** A component as far as it is judged here: by CycloneDX, whose licences are ids, names or one expression. */
export interface Component {
  readonly name: string
  readonly version: string
  /** an SPDX expression; null where the package names none */
  readonly licence: string | null
}

type Verdict = (id: string) => boolean

/**
 * Whether an SPDX expression is fulfilled: of several joined by OR one is enough, of those joined by AND all are needed.
 * What cannot be read is not.
 */
export const fulfils = (expression: string, isAllowed: Verdict): boolean => {
  const words = expression.match(/\(|\)|[^\s()]+/g) ?? []
  let at = 0
  const one = (): boolean => {
    const word = words[at++]
    if (word === undefined || word === ')' || word === 'AND' || word === 'OR')
      throw new SyntaxError(expression)
    if (word !== '(') return isAllowed(word)
    const inside = any()
    if (words[at++] !== ')') throw new SyntaxError(expression)
    return inside
  }
  const joined = (by: string, next: () => boolean): boolean[] => {
    const all = [next()]
    while (words[at] === by) {
      at += 1
      all.push(next())
    }
    return all
  }
  const every = (): boolean => joined('AND', one).every(Boolean)
  const any = (): boolean => joined('OR', every).some(Boolean)
  try {
    return any() && at === words.length
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** What may not ship, a sentence each. */
export const refusedLicences = (components: readonly Component[]): readonly string[] =>
  components.flatMap(({ name, version, licence }) => {
    if (licence === null) return [`${name}@${version} names no licence`]
    const isExcepted = (id: string): boolean =>
      exceptions.some((each) => each.package.test(name) && each.licence === id)
    return fulfils(licence, (id) => Object.hasOwn(allowed, id) || isExcepted(id))
      ? []
      : [`${name}@${version} is under ${licence}`]
  })

/** Entries of the lists above that nothing which ships needs. */
export const unneededLicences = (components: readonly Component[]): readonly string[] => {
  const all = components.map(({ licence }) => licence ?? '').join(' ')
  const named = new Set(all.match(/[^\s()]+/g))
  return [
    ...Object.keys(allowed).filter((id) => !named.has(id)),
    ...exceptions.flatMap((each) =>
      components.some(
        ({ name, licence }) => each.package.test(name) && (licence ?? '').includes(each.licence),
      )
        ? []
        : [`${each.licence} of ${each.package.source}`],
    ),
  ]
}

/** A component as `licences.txt` lists it: where nothing was found to pass on, that is said. */
export const licenceLine = (
  { name, version, licence }: Pick<Component, 'name' | 'version' | 'licence'>,
  texts: number,
): string =>
  `${name}@${version}  ${licence ?? 'no licence'}${texts > 0 ? '' : '  (its package brings no text here)'}`
