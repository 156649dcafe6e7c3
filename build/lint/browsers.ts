/**
 * From which browsers on everything works. README says the same in words. In older ones the page still reads and the
 * form still sends, as both need no script.
 */
const BROWSERS = { chrome: '111', edge: '111', firefox: '121', safari: '16.4', safari_ios: '16.4' } as const

/** The same for the build, in its own names. */
export const buildTargets: string[] = Object.entries(BROWSERS).map(
  ([name, version]) => `${name === 'safari_ios' ? 'ios' : name}${version}`,
)

/** Of the browser data what is read here: a name, what supports it, and what stands below it. */
type Support = { readonly version_added?: string | boolean | null; readonly flags?: unknown }
type Entry = {
  readonly __compat?: { readonly support: Readonly<Record<string, Support | readonly Support[]>> }
  readonly [name: string]: unknown
}
export type BrowserData = { readonly api: Entry; readonly javascript: { readonly builtins: Entry } }

const numbered = (version: string): number => {
  const [major = 0, minor = 0] = version.replace('≤', '').split('.').map(Number)
  return major * 1_000 + minor
}

/** Whether the browser has it from the demanded version on, without a flag. */
const has = (support: Support | readonly Support[] | undefined, version: string): boolean => {
  const [first] = support === undefined ? [] : [support].flat()
  const added = first?.version_added
  if (first?.flags !== undefined || !added || added === 'preview') return false
  return added === true || numbered(added) <= numbered(version)
}

const isKnown = (entry: Entry): boolean =>
  Object.entries(BROWSERS).every(([name, version]) => has(entry.__compat?.support[name], version))

/** What a page's code holds in its hands: names of other interfaces too often are names of its own functions. */
const APIS = ['AbortSignal', 'Document', 'Element', 'HTMLElement', 'Navigator', 'Node', 'Response', 'URL']
const BUILTINS = ['Array', 'Intl', 'Map', 'Object', 'Promise', 'RegExp', 'Set', 'String', 'TypedArray']

/** Functions of our own or of the editor that are called like a newer one of a browser's. */
const OURS = new Set(['escape', 'getHTML', 'restore'])

/** Functions that some browser of ours does not have. */
export type Unknown = {
  /** called by their name alone */
  readonly globals: ReadonlySet<string>
  /** called on something; a static one carries its interface's name (`URL.canParse`) */
  readonly members: ReadonlySet<string>
}

/** @returns the members of these entries that some browser of ours lacks, and that no other entry has in all of them */
const unknownOf = (found: readonly (readonly [name: string, entry: unknown])[]): ReadonlySet<string> => {
  const members = found.flatMap(([name, entry]) =>
    // Below an interface stand its members, each an entry of its own.
    Object.entries((entry ?? {}) as Record<string, Entry>)
      .filter(([member, each]) => member !== '__compat' && !member.endsWith('_event') && each.__compat)
      .map(([member, each]) => ({
        name: member.endsWith('_static') ? `${name}.${member.slice(0, -'_static'.length)}` : member,
        known: isKnown(each),
      })),
  )
  const known = new Set(members.filter((each) => each.known).map((each) => each.name))
  return new Set(members.map((each) => each.name).filter((name) => !known.has(name) && !OURS.has(name)))
}

/** @param data MDN's table of what browsers know */
export const unknownFunctions = (data: BrowserData): Unknown => ({
  globals: unknownOf([['window', data.api['Window']]]),
  members: unknownOf([
    ...APIS.map((name) => [name, data.api[name]] as const),
    ...BUILTINS.map((name) => [name, data.javascript.builtins[name]] as const),
  ]),
})
