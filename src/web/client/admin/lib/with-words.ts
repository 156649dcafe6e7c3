/** Those in whose text every word of `wanted` occurs, in whatever case; all of them where nothing is wanted. */
export function withWords<T>(list: readonly T[], wanted: string, textOf: (each: T) => string): readonly T[] {
  const words = wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return list
  return list.filter((each) => {
    const text = textOf(each).toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}
