/** Made for the first number that is told: what a formatter needs to know of languages is slow to load. */
let grouped: Intl.NumberFormat | undefined

/** A number as it is read in India: 10,00,00,000. */
export const inGroups = (number: number): string => {
  grouped ??= new Intl.NumberFormat('en-IN')
  return grouped.format(number)
}
