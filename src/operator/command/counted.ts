const grouped = new Intl.NumberFormat('en')

/** `1 event`, `1,204 events`. @param noun in the singular; its plural takes an s unless it is given */
export const counted = (number: number, noun: string, plural = `${noun}s`): string =>
  `${grouped.format(number)} ${number === 1 ? noun : plural}`
