// The zone is fixed: server and browser must print the same day, or hydration would not match.
const day = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'Asia/Kolkata',
})

/** ISO instant as a day in words, in India's time: `14 November 2025`. Empty when it is no date. */
export function formatDay(iso: string): string {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? '' : day.format(at)
}
