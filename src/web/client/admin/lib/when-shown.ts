import type { Accepted } from '#web/contract/errors.ts'
import { ApiError, type Answered } from '../../lib/api.ts'
import { onChanges, onStreamOpened } from '../../lib/changes.ts'
import type { Changed } from './stale.ts'

/** ms after which the server is asked once, where the change stream says nothing */
const GRACE_MS = 5_000

/** Listens for what the change stream says of one change. */
export type Hearing = {
  /** Resolves at the next word, or at one that has come since the last; after so many ms, if any, with false. */
  readonly next: (graceMs: number | null) => Promise<boolean>
  readonly stop: () => void
}

/**
 * A word is that one of these is shown up to the position in the log, or that the stream was opened anew.
 * @param position empty for whatever one
 */
export function listenFor(position: string, changed: readonly Changed[]): Hearing {
  let isHeard = false
  let wake = (): void => undefined
  const hear = (): void => {
    isHeard = true
    wake()
  }
  const stops = [
    onChanges((models, shownTo) => {
      if (shownTo >= position && models.some((model) => changed.includes(model))) hear()
    }, 'save'),
    onStreamOpened(hear),
  ]
  return {
    next: async (graceMs) => {
      if (!isHeard)
        await new Promise<void>((resolve) => {
          wake = resolve
          if (graceMs !== null) setTimeout(resolve, graceMs)
        })
      const wasHeard = isHeard
      isHeard = false
      return wasHeard
    },
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}

/** No answer, or one of a server that cannot do its work just now. */
const isAway = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiError && error.status >= 500)

/**
 * On servers a change may be made some time before the lists show it; it is answered with 202 then, and with the
 * position at which it stands in the log. Its answer is asked for when the change stream says that a list shows that
 * position, and once after five seconds without a word, also behind a word whose question got no answer. The question is
 * the same call under the same key: nothing is made twice, and the server answers as if it had been quick. What is made
 * is not called failed any more because a server is away meanwhile.
 * @param ask sends the call, each time with the same key
 * @param changed what the call changes
 * @returns the answer of a call whose change is shown
 * @throws what `ask` throws before the change was made, and what it throws for good afterwards (a session that ended)
 */
export async function whenShown<Answer>(
  ask: () => Promise<Answered<Answer>>,
  changed: readonly Changed[],
  listen: typeof listenFor = listenFor,
): Promise<Answered<Answer>> {
  let answered = await ask()
  if (answered.status !== 202) return answered
  // What the contract has a 202 say.
  const { position } = answered.answer as Accepted
  const hearing = listen(position, changed)
  try {
    let graceMs: number | null = GRACE_MS
    while (answered.status === 202) {
      const isHeard = await hearing.next(graceMs)
      if (!isHeard) graceMs = null
      try {
        answered = await ask()
      } catch (error) {
        if (!isAway(error)) throw error
        // There may be no other word.
        if (isHeard) graceMs = GRACE_MS
      }
    }
    return answered
  } finally {
    hearing.stop()
  }
}
