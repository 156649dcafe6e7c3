/** Titles are set large: words of so many letters may be broken in them. */
const LONG_WORD_OF_TITLE = /\p{Script=Latin}{14,}/gu
/** Longer ones do not fit a line of running text on a small phone at twice the size; what is copied stays as written. */
const LONG_WORD_OF_TEXT = /\p{Script=Latin}{20,}/gu
/** A place between a vowel and the consonant that begins the next syllable. */
const SYLLABLE =
  /(?<=\p{L}{4}[aeiouyāīūäöüéèêáíóú])(?=[^aeiouyāīūäöüéèêáíóú][aeiouyāīūäöüéèêáíóú]\p{L}{3})/giu
/** Where no syllable can be told. */
const PIECE = /.{8}(?=.{4})/gu
const SOFT_HYPHEN = '\u00ad'

/** In a word it tells an address, which must stay whole for those who copy it. */
const ADDRESS = /@|:\/\/|\.\p{L}{2,}/u
/** Tags and character references of HTML, or what stands between them. */
const HTML_PART = /<[^>]*>|&#?\w+;|[^<&]+/gu

const broken = (word: string): string => {
  const syllables = word.replace(SYLLABLE, SOFT_HYPHEN)
  return syllables === word ? word.replace(PIECE, `$&${SOFT_HYPHEN}`) : syllables
}

/**
 * A title whose very long words break with a hyphen where they must: browsers lack the dictionaries to find the
 * places by themselves on most machines.
 */
export function withSoftBreaks(title: string): string {
  return title.replace(LONG_WORD_OF_TITLE, broken)
}

/** Running text whose longest words break as those of titles do; addresses in it stay as they are. */
export function textWithSoftBreaks(text: string): string {
  return text.replace(/\S+/g, (word) => (ADDRESS.test(word) ? word : word.replace(LONG_WORD_OF_TEXT, broken)))
}

/** The same for the HTML of the editor, in what is read of it. */
export function htmlWithSoftBreaks(html: string): string {
  return html.replace(HTML_PART, (part) => (/^[<&]/.test(part) ? part : textWithSoftBreaks(part)))
}
