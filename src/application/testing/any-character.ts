import fc from 'fast-check'

const [firstHalf, halves] = [0xd800, 0x800]

/**
 * Any character that a text may hold, so no half of a pair: fast-check's own `binary`, for which it lists all of them first,
 * which takes a second of the processor.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - halves })
  .map((n) => String.fromCodePoint(n < firstHalf ? n : n + halves))
