import type { ChangedModel } from '#web/contract/changes.ts'
import { ApiError, type Answered } from '../../lib/api.ts'
import { onChanges, onStreamOpened } from '../../lib/changes.ts'

/** ms after which the server is asked once, where the change stream says nothing */
const GRACE_MS = 5_000

/** Resolves with the next word of the change stream, or after so many ms. */
const nextWord = (graceMs: number | null): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  // How a job gets on tells nothing of what the lists show.
  const hear = (models: readonly ChangedModel[]): void => {
    if (models.some((model) => model !== 'jobs')) resolve()
  }
  const stops = [onChanges(hear, 'dashboard'), onStreamOpened(resolve)]
  const timer = graceMs === null ? undefined : setTimeout(() => resolve(), graceMs)
  return promise.finally(() => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  })
}

/** No answer, or one of a server that cannot do its artwork just now. */
const isAway = (error: unknown): boolean =>
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
export async function whenShown<Answer>(
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
      if (!isAway(error)) throw error
    }
  }
  return answered
}

/** The entity that a path is about: `/api/artworks/7/position` is about `/api/artworks/7`. Null for a whole list. */
const entityOf = (path: string): string | null => {
  const parts = path.split('/')
  return parts.length > 3 ? parts.slice(0, 4).join('/') : null
}

/** How an answer-less failure is told from one that the server decided. */
const isDecided = (error: unknown): boolean => error instanceof ApiError && error.status < 500

/**
 * Ids of commands, made here and sent as `Idempotency-Key`. While nobody knows whether a
 * command has acted (no answer came, or 5xx), the same request gets the same id again, so that pressing Save
 * twice acts once. Once the server has decided a later command about the same entity, they are no repeats any
 * more: hiding an artwork again, after it was shown, is a new command.
 */
export function createCommandIds(newId: () => string) {
  const idOf = new Map<string, { id: string; entity: string | null }>()
  return {
    /** The id of this request: the one of an undecided earlier attempt, else a new one. */
    of: (method: string, path: string, body: unknown): string => {
      const request = `${method} ${path} ${JSON.stringify(body ?? null)}`
      const known = idOf.get(request)
      if (known !== undefined) return known.id
      const id = newId()
      idOf.set(request, { id, entity: entityOf(path) })
      return id
    },
    /** Forgets the id once the server has decided. Gives and throws what `work` does. */
    settle: async <Answer>(id: string, artwork: Promise<Answer>): Promise<Answer> => {
      const forget = (): void => {
        const entity = [...idOf.values()].find((known) => known.id === id)?.entity ?? null
        for (const [request, known] of idOf) {
          if (known.id === id || (entity !== null && known.entity === entity)) idOf.delete(request)
        }
      }
      try {
        const answer = await artwork
        forget()
        return answer
      } catch (error) {
        if (isDecided(error)) forget()
        throw error
      }
    },
  }
}

/** `crypto.randomUUID` only exists on secure origins; a studio's http address in the home network is none. */
const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

export const commandIds = createCommandIds(randomId)
