import { reasonOf } from '#application/kernel/reason.ts'
import { randomUUID } from 'node:crypto'
import { pause } from '#application/kernel/retry.ts'
import { z } from 'zod'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import { type OperatorOrder, asked as askedSchema, type OperatorOutcome, outcome, progress } from './order.ts'
import type { Task } from './operation.ts'

/*
 * Where no socket is shared, on servers: a request and its answer are two records that everybody can read. Both are
 * written again and again while somebody stands behind them; one that stands still was left behind.
 */
interface Box {
  readonly effects: Pick<EffectLedger, 'find' | 'replace'>
  /** the process that is asked: each has a box of its own */
  readonly of: string
  /** how often is looked and written, in ms */
  readonly everyMs?: number
}

const requestKey = ({ of }: Box): string => `operator-request ${of}`
const answerKey = ({ of }: Box): string => `operator-answer ${of}`

const defaultEveryMs = 1_000
/** So many looks without a change: nobody is there any more. */
const mostStill = 12

/** So long a record may be, in characters: some take four bytes, and MongoDB keeps 16 MB in one. */
const mostCharacters = 3_000_000
/** Where it is longer, so much of its message is told from the beginning and from the end, and so much of each other text. */
const longestEnd = 100_000
const longestText = 200

const request = z.strictObject({ id: z.string(), beat: z.number(), left: z.boolean(), asked: askedSchema })
const answer = z.strictObject({
  id: z.string(),
  beat: z.number(),
  progress: progress.nullable(),
  outcome: outcome.nullable(),
})

const read = async <Schema extends z.ZodType>(
  { effects }: Box,
  key: string,
  schema: Schema,
): Promise<z.output<Schema> | null> => {
  const found = await effects.find(key)
  return found === null ? null : schema.parse(JSON.parse(found.detail))
}

const write = (
  { effects }: Box,
  key: string,
  record: z.output<typeof request> | z.output<typeof answer>,
): Promise<void> => effects.replace(key, 'done', JSON.stringify(record))

const withoutLongTexts = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(value, (_, each: unknown) =>
          typeof each === 'string' && each.length > longestText ? `${each.slice(0, longestText)}…` : each,
        ),
      )

/** What came of it, as far as a record has room: else it would be asked for again and again. */
const fitting = (whole: OperatorOutcome): OperatorOutcome => {
  const fits = (each: OperatorOutcome): boolean => JSON.stringify(each).length <= mostCharacters
  if (fits(whole)) return whole
  const { ok, message: words } = whole
  const message =
    words.length > 2 * longestEnd ? `${words.slice(0, longestEnd)}\n…\n${words.slice(-longestEnd)}` : words
  const cut = { ...whole, message, data: withoutLongTexts(whole.data) }
  return fits(cut) ? cut : { ok, message }
}

/** Counts for how many looks something has stood still. */
const stillness = () => {
  let last = ''
  let looks = 0
  return (now: string): number => {
    looks = now === last ? looks + 1 : 0
    last = now
    return looks
  }
}

/**
 * Takes requests to this process while it can do them, one after the other.
 * @param options.isMine whether it can at the moment
 * @param options.carryOut does what was asked; its signal is aborted when whoever asked has gone
 */
export const takeRequests = (
  box: Box,
  options: {
    readonly isMine: () => boolean
    readonly carryOut: (asked: OperatorOrder, task: Task) => Promise<OperatorOutcome>
    readonly log: { readonly warn: (context: object, message: string) => void }
  },
): { readonly stop: () => Promise<void> } => {
  const every = box.everyMs ?? defaultEveryMs
  const stopping = new AbortController()
  const { signal } = stopping

  const doIt = async (found: z.output<typeof request>): Promise<void> => {
    const { id } = found
    const gone = new AbortController()
    let latest: z.output<typeof progress> | null = null
    let beat = 0
    let ended: OperatorOutcome | null = null
    const work = options
      .carryOut(found.asked, {
        signal: AbortSignal.any([gone.signal, signal]),
        progress: (each) => {
          latest = each
        },
      })
      .catch(
        (error: unknown): OperatorOutcome => ({
          ok: false,
          message: reasonOf(error),
        }),
      )
      .then((result) => {
        ended = fitting(result)
      })
    const still = stillness()
    try {
      while (ended === null) {
        beat += 1
        await write(box, answerKey(box), { id, beat, progress: latest, outcome: null })
        await Promise.race([work, pause(every, signal, { ref: false })])
        const now = await read(box, requestKey(box), request)
        const hasLeft = now === null || now.id !== id || now.left || still(String(now.beat)) > mostStill
        if (hasLeft || signal.aborted) gone.abort()
        if (gone.signal.aborted) await work
      }
    } finally {
      // Where the box cannot be read or written nobody hears of the work: it goes on for nobody, so it ends first.
      gone.abort()
      await work
    }
    await write(box, answerKey(box), { id, beat: beat + 1, progress: latest, outcome: ended })
  }

  const run = async (): Promise<void> => {
    let seen: { readonly id: string; readonly beat: number } | null = null
    let done = ''
    while (!signal.aborted) {
      try {
        const found = options.isMine() ? await read(box, requestKey(box), request) : null
        // Only one that was seen moving: a record of yesterday is nobody's wish.
        const isAlive = found !== null && found.id === seen?.id && found.beat !== seen.beat
        if (isAlive && !found.left && found.id !== done) {
          done = found.id
          await doIt(found)
        }
        seen = found
      } catch (error) {
        options.log.warn({ err: error }, 'Requests of operators cannot be looked for; trying again')
      }
      await pause(every, signal, { ref: false })
    }
  }
  const ended = run()
  return {
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

/**
 * Asks a process, and hears its progress. To be called by one at a time.
 * @returns null when it has not taken the request, or has gone since: whoever is asked next goes on with what it had done
 * @throws the signal's reason when aborted
 */
export const askByRequest = async (
  box: Box,
  asked: OperatorOrder,
  task: Task,
): Promise<OperatorOutcome | null> => {
  const every = box.everyMs ?? defaultEveryMs
  const id = randomUUID()
  const still = stillness()
  let beat = 0
  try {
    for (;;) {
      task.signal.throwIfAborted()
      beat += 1
      await write(box, requestKey(box), { id, beat, left: false, asked })
      await pause(every, task.signal)
      const found = await read(box, answerKey(box), answer)
      const mine = found?.id === id ? found : null
      if (mine?.progress) task.progress(mine.progress)
      if (mine?.outcome) return mine.outcome
      if (still(String(mine?.beat)) > mostStill) return null
    }
  } finally {
    await write(box, requestKey(box), { id, beat: beat + 1, left: true, asked })
  }
}
