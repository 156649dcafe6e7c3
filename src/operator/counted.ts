const grouped = new Intl.NumberFormat('en')

/** `1 event`, `1,204 events`. @param noun in the singular; its plural takes an s */
export const counted = (number: number, noun: string): string =>
  `${grouped.format(number)} ${noun}${number === 1 ? '' : 's'}`
