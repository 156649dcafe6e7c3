/** A name or title in quotes; what has none is named by its kind. */
export const quoted = (name: string, otherwise: string): string => (name === '' ? otherwise : `“${name}”`)

/** How a plain value changed: "changed from A to B", "was set to B", "was removed". */
export const change = (from: string, to: string): string => {
  if (from === '') return `was set to ${to}`
  return to === '' ? `was removed (it was ${from})` : `changed from ${from} to ${to}`
}

const named = 5

/** "Artist name, Hero title and 3 more". */
export const listed = (names: readonly string[]): string => {
  const rest = names.length - named
  return rest > 0 ? `${names.slice(0, named).join(', ')} and ${rest} more` : names.join(', ')
}

/** The site that an address belongs to, for people. */
export const siteOf = (address: string): string => URL.parse(address)?.hostname || 'another site'
