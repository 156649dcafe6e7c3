/** The search of every list of the dashboard. */

import { useState } from 'react'

const SEARCH_FROM = 8

/**
 * Whether a search field stands above a list of so many: above one that is long, and as long as it is looked at, however
 * short it becomes: what is searched for would narrow it unseen.
 */
export function useHasSearch(count: number): boolean {
  const [has, setHas] = useState(false)
  const isLong = count > SEARCH_FROM
  if (isLong && !has) setHas(true)
  return has || isLong
}

/** No word has more marks in a row; they are put in order, which takes the square of how many there are. */
const TOO_MANY_MARKS = /(\p{M}{8})\p{M}+/gu

/** Case and accents do not matter in a search: "neel" finds "Nèel". Indic vowel signs do. */
const folded = (text: string): string =>
  text
    .replace(TOO_MANY_MARKS, '$1')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/**
 * Makes a search: it gives those of a list in whose text every word that is wanted occurs, and the very list where nothing
 * is wanted.
 * @param textOf everything that is looked into; once for each, because a thousand artworks are searched at every key
 */
export function searchBy<T extends object>(
  textOf: (each: T) => string,
): (list: readonly T[], wanted: string) => readonly T[] {
  const texts = new WeakMap<T, string>()
  const foldedOf = (each: T): string => {
    const known = texts.get(each)
    if (known !== undefined) return known
    const text = folded(textOf(each))
    texts.set(each, text)
    return text
  }
  return (list, wanted) => {
    const words = folded(wanted).split(/\s+/).filter(Boolean)
    if (words.length === 0) return list
    return list.filter((each) => words.every((word) => foldedOf(each).includes(word)))
  }
}
