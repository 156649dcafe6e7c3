/** Letters in a line of a message, about. */
const LINE = 70
/** A text of more lines is folded; a folded one shows about as many. */
const MOST_LINES = 24

/** Whether a text is so long that it is folded until all of it is wanted. */
export const isLong = (text: string): boolean =>
  text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / LINE)), 0) > MOST_LINES
