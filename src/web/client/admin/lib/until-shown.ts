import { ApiError, type Answered } from '../../lib/api.ts'
import { onChanges, onStreamOpened } from '../../lib/changes.ts'

/** ms after which the server is asked once, where the change stream says nothing */
const GRACE_MS = 5_000

/** Resolves with the next word of the change stream, or after so many ms. */
const nextWord = (graceMs: number | null): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stops = [onChanges(() => resolve(), 'dashboard'), onStreamOpened(resolve)]
  const timer = graceMs === null ? undefined : setTimeout(() => resolve(), graceMs)
  return promise.finally(() => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  })
}

/** No answer, or one of a server that cannot do its artwork just now. */
const isPassing = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiError && error.status >= 500)

/**
 * On servers a change may be made some time before the lists show it; it is answered with 202 then. When the change
 * stream says that something is shown now, or after five seconds once, it is sent again under the same key: it is not
 * made twice, and the server answers as if it had been quick. What is made is not called failed any more because a
 * server is away meanwhile.
 * @param ask sends the call, each time with the same key
 * @param word resolves with the next word of the change stream, or after so many ms, if any
 * @returns the answer of a call whose change is shown
 * @throws what `ask` throws before the change was made, and what it throws for good afterwards (a session that ended)
 */
export async function untilShown<Answer>(
  ask: () => Promise<Answered<Answer>>,
  word: (graceMs: number | null) => Promise<void> = nextWord,
): Promise<Answered<Answer>> {
  let answered = await ask()
  let graceMs: number | null = GRACE_MS
  while (answered.status === 202) {
    await word(graceMs)
    graceMs = null
    try {
      answered = await ask()
    } catch (error) {
      if (!isPassing(error)) throw error
    }
  }
  return answered
}
