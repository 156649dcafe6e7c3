/** Days and times in words, in the reader's own zone: the dashboard is never rendered on a server. */

const time = new Intl.DateTimeFormat('en-IN', { hour: '2-digit', minute: '2-digit', hour12: false })
const day = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'long', year: 'numeric' })

const DAY_MS = 86_400_000

const startOfDay = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()

/** "today, 09:12", "yesterday, 18:40", "tomorrow, 06:00" or "12 November 2025"; empty when `iso` is no date. */
export function whenInWords(iso: string, now: Date): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS)
  if (days === 0) return `today, ${time.format(at)}`
  if (days === -1) return `tomorrow, ${time.format(at)}`
  if (days === 1) return `yesterday, ${time.format(at)}`
  return day.format(at)
}

/** The same at the start of a sentence: "Today, 09:12". */
export function whenAsTitle(iso: string, now: Date): string {
  const words = whenInWords(iso, now)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
