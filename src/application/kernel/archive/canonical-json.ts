/**
 * JSON in the one form that the same value always has: keys of every object in the order of their UTF-16
 * units, no blanks. Written by hand because an object lists keys that look like numbers first, whatever order
 * they were set in.
 * @param value what JSON can hold; properties that are undefined are left out, as JSON.stringify does
 */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    return `[${items.map((item) => canonicalJson(item ?? null)).join(',')}]`
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`)
  return `{${fields.join(',')}}`
}
