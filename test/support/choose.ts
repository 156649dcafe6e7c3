/** A test file: its path from the root, and what stands in it. */
export interface TestFile {
  readonly path: string
  readonly text: string
}

/** What a run of `npm test` is made of; null where nothing of a tool is asked for. */
export interface Choice {
  readonly vitest: readonly string[] | null
  readonly playwright: readonly string[] | null
  /** only tests with certain names run: the others of their files are no news */
  readonly byName: boolean
  /** something is tested that opens the built client */
  readonly needsClient: boolean
}

const isJourney = ({ path }: TestFile): boolean => path.endsWith('.journey.ts')
const isUnit = ({ path }: TestFile): boolean => /\.unit\.test\.tsx?$/.test(path)

/**
 * Chooses what runs. An argument that is part of a path narrows to the files with that path, any other one to the
 * tests with those words in their name. Options stand after the words and go to whichever tool runs.
 * @param given the arguments of `npm test`
 * @throws Error when no test has such a path or such words
 */
export const choose = (given: readonly string[], files: readonly TestFile[]): Choice => {
  const firstOption = given.findIndex((each) => each.startsWith('-'))
  const words = firstOption < 0 ? given : given.slice(0, firstOption)
  const options = firstOption < 0 ? [] : given.slice(firstOption)
  const paths = words.filter((word) => files.some(({ path }) => path.includes(word)))
  const names = words.filter((word) => !paths.includes(word))
  const fits = files.filter(
    ({ path, text }) =>
      (paths.length === 0 || paths.some((each) => path.includes(each))) &&
      names.every((name) => text.includes(name)),
  )
  if (fits.length === 0) throw new Error(`No test matches: ${words.join(' ')}`)
  const everything = words.length === 0
  const pathsOf = (found: readonly TestFile[]): readonly string[] =>
    everything ? [] : found.map(({ path }) => path)
  const name = names.map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const named = (option: string): readonly string[] => (name === '' ? [] : [option, name])
  const journeys = fits.filter(isJourney)
  const others = fits.filter((each) => !isJourney(each))
  return {
    vitest: others.length === 0 ? null : [...pathsOf(others), ...named('-t'), ...options],
    playwright: journeys.length === 0 ? null : [...pathsOf(journeys), ...named('-g'), ...options],
    byName: names.length > 0,
    needsClient: fits.some((each) => !isUnit(each)),
  }
}
