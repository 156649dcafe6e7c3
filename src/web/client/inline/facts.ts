/** Id of the data block with what the script in the page must know. */
export const FACTS_ELEMENT = 'program'

/** What the script in the page must know of it. */
export type Facts = {
  /** addresses of the program's modules, each after those it imports */
  modules: readonly string[]
  /** files that are fetched ahead with them, because they are likely to be wanted next */
  ahead: readonly string[]
  /** path and filter that the document was made for; null for the page of unknown addresses */
  address: string | null
  /** of the data that is shown; null where none is */
  version: string | null
}

/** Reads the block back. Throws when the page carries none: then this script does not belong to it. */
export function readFacts(page: Document): Facts {
  // Written by `document.ts` of the same build, of which this script is a part. What is no JSON throws.
  return JSON.parse(page.getElementById(FACTS_ELEMENT)?.textContent ?? '') as Facts
}
