/**
 * The client's one formatter of amounts, dates and counts. Amounts are whole rupees, grouped the Indian way
 * whatever the visitor's locale; formatters are made once because making one costs
 * more than rendering a tile.
 */

const rupees = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
})

const count = new Intl.NumberFormat('en-IN')

// The zone is fixed: server and browser must print the same day, or hydration would not match.
const day = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'Asia/Kolkata',
})

/** Rupee amount with sign and Indian grouping: `125000` gives `₹1,25,000`. Takes whole rupees. */
export function formatRupees(amount: number): string {
  return rupees.format(amount)
}

/** Digits with Indian grouping and no sign: `125000` gives `1,25,000`. */
export function formatCount(value: number): string {
  return count.format(value)
}

/** ISO instant as a day in words, in India's time: `14 November 2025`. Empty when it is no date. */
export function formatDay(iso: string): string {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? '' : day.format(at)
}
