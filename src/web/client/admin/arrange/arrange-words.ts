/** Texts of lists whose order is changed by moving. */
export const ARRANGE_WORDS = {
  arrange: 'Arrange',
  moveFirst: 'Move to first',
  moveUp: 'Move up',
  moveDown: 'Move down',
  moveLast: 'Move to last',
} as const

/** What a screen reader hears after a move; `place` counts from 1. */
export const movedTo = (title: string, place: number, of: number): string =>
  `${title} moved to place ${place} of ${of}.`
