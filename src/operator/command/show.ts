import type { Progress } from './operation.ts'
import type { OperatorOutcome } from './order.ts'
import { printable } from '#application/kernel/printable.ts'
import { Refusal } from '#domain/refusal.ts'

/** How often progress is redrawn on a terminal, and told as a line of its own elsewhere, in ms. */
const redrawEveryMs = 100
const lineEveryMs = 5_000

const grouped = new Intl.NumberFormat('en')

/** 75 → "1 min 15 s". @param seconds whole or not */
const spanOf = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}

/**
 * Words for progress: how much, how fast, how long still.
 * @param since how far it was, and how long ago (ms), when this piece of work was first heard of
 */
export const progressInWords = (
  { what, done, total, unit }: Progress,
  since: { readonly done: number; readonly ms: number },
): string => {
  if (unit === '') return what
  const parts = [
    total === null
      ? `${grouped.format(done)} ${unit}`
      : `${grouped.format(done)} of ${grouped.format(total)} ${unit}`,
  ]
  if (total !== null && total > 0) parts.push(`${Math.floor((100 * Math.min(done, total)) / total)} %`)
  const rate = since.ms > 0 ? ((done - since.done) * 1_000) / since.ms : 0
  if (rate > 0) {
    parts.push(`${grouped.format(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))}/s`)
    if (total !== null && done < total) parts.push(`${spanOf((total - done) / rate)} left`)
  }
  return `${what}: ${parts.join(', ')}`
}

/** What is counted where a log is read: how many events are to come is not known, least on a log that others share. */
export const eventsOnTheWay = (share: number): string => `events, ${Math.floor(100 * share)} % of the way`

/**
 * Shows progress on standard error: one line that is redrawn on a terminal, a line now and then elsewhere,
 * nothing with `--json`.
 */
export const showProgress = (
  json: boolean,
): { readonly progress: (progress: Progress) => void; readonly end: () => void } => {
  const out = process.stderr
  const redraws = out.isTTY
  let begun: { readonly what: string; readonly done: number; readonly at: number } | null = null
  let shownAt = performance.now() - (redraws ? redrawEveryMs : 0)
  let drawn = false
  return {
    progress: (each) => {
      const now = performance.now()
      if (begun?.what !== each.what) begun = { what: each.what, done: each.done, at: now }
      if (json || now - shownAt < (redraws ? redrawEveryMs : lineEveryMs)) return
      shownAt = now
      drawn = redraws
      const words = progressInWords(each, { done: begun.done, ms: now - begun.at })
      out.write(redraws ? `\r\u001B[K${words.slice(0, out.columns - 1)}` : `${words}\n`)
    },
    end: () => {
      if (drawn) out.write('\r\u001B[K')
      drawn = false
    },
  }
}

/** Prints what came of an operation: JSON on standard output, else words, problems on standard error. */
export const showOutcome = (result: OperatorOutcome, json: boolean): void => {
  const { tookOutput = false, ...outcome } = result
  const out = tookOutput || (!outcome.ok && !json) ? process.stderr : process.stdout
  if (json) out.write(`${JSON.stringify(outcome)}\n`)
  else if (outcome.message !== '') out.write(`${outcome.message.split('\n').map(printable).join('\n')}\n`)
}

/** Standard output for bytes that only programs can read. @throws {Refusal} when it is a terminal */
export const outputForBytes = (): NodeJS.WriteStream => {
  if (process.stdout.isTTY)
    throw new Refusal(
      'invalid',
      'A terminal cannot show this: send it into a program or a file, or name a FILE',
    )
  return process.stdout
}

/** Does something; when it was stopped meanwhile, its many kinds of breaking off are one: the signal's reason. */
export const inWordsWhenStopped = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}

export const megabytes = (bytes: number): string => `${grouped.format(Math.floor(bytes / 1_000_000))} MB`
