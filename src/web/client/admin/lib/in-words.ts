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

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const
const STEP = 1000

/** A size in words: `12.4 GB`, `380 MB`. Takes bytes. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP
    unit += 1
  }
  const digits = value < 10 && unit > 0 ? 1 : 0
  return `${value.toFixed(digits)} ${UNITS[unit]}`
}

let now = new Date()
const today = (): Date => {
  const at = new Date()
  if (at.toDateString() !== now.toDateString()) now = at
  return now
}
/** A moment of the day on which this part of the screen is drawn, for "today" and "yesterday": it may stand open for days. */
export const useNow = (): Date => today()
