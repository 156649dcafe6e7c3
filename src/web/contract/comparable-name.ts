/** Two names are the same name when this form of them is: NFKC, blanks collapsed, case folded, as the set compares them. */
export const comparableName = (name: string): string =>
  name.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase().toLowerCase()
