import { limits } from '#web/contract/limits.ts'
import { ApiError } from '../../lib/api.ts'
import type { Changed } from './stale.ts'

/** The entity that a path is about: `/api/artworks/7/position` is about `/api/artworks/7`. Null for a whole list. */
const entityOf = (path: string): string | null => {
  const parts = path.split('/')
  return parts.length > 3 ? parts.slice(0, 4).join('/') : null
}

const isNew = (row: unknown): boolean => typeof row === 'object' && row !== null && !('id' in row)

/** Several artworks by one call, none of which was there before. */
const isAllNew = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'rows' in body &&
  Array.isArray(body.rows) &&
  body.rows.every(isNew)

/** What is being added: its ids outlive the page, whose draft is sent again where no answer came. */
export const isAdded = ({ method, path, body }: SentRequest): boolean =>
  method === 'POST' && (entityOf(path) === null || isAllNew(body))

/** How an answer-less failure is told from one that the server decided. */
const isDecided = (error: unknown): boolean => error instanceof ApiError && error.status < 500

/** Turned away at the door: nobody has looked whether an earlier attempt has acted. */
const isTurnedAway = (error: unknown): boolean =>
  error instanceof ApiError && [401, 403, 408, 429].includes(error.status)

/** What is asked for, as far as a repeat of it is one. */
export type SentRequest = {
  method: string
  path: string
  body: unknown
  /** what it changes */
  changed: readonly Changed[]
}

type Undecided = {
  id: string
  entity: string | null
  /** what else may change that makes the same request a new command */
  stands: readonly Changed[]
  /** an earlier attempt may have acted */
  mayHaveActed: boolean
}

type KeptIds = {
  get: (request: string) => string | null
  set: (request: string, id: string) => void
  delete: (request: string) => void
  all: () => readonly string[]
}

const storedAs = (request: string): string => `atelier.adding.${request}`

/** In the browser's own store; one that refuses (private mode, full) costs the way back from a dropped tab. */
const keptIds: KeptIds = {
  get: (request) =>
    stored((store) => {
      dropUnknown(store)
      return store.getItem(storedAs(request))?.split(' ')[0]
    }) ?? null,
  set: (request, id) => stored((store) => store.setItem(storedAs(request), `${id} ${Date.now()}`)),
  delete: (request) => stored((store) => store.removeItem(storedAs(request))),
  all: () =>
    stored((store) => {
      dropUnknown(store)
      return keptIn(store).map((key) => key.slice(storedAs('').length))
    }) ?? [],
}

const keptIn = (store: Storage): readonly string[] =>
  Object.keys(store).filter((key) => key.startsWith(storedAs('')))

/** Drops ids that the server does not know any more: what was never sent again would stay for ever. */
function dropUnknown(store: Storage): void {
  for (const key of keptIn(store)) {
    const sentAt = Number(store.getItem(key)?.split(' ')[1])
    if (!(Date.now() - sentAt < limits.keyKnownMs)) store.removeItem(key)
  }
}

function stored<Result>(act: (store: Storage) => Result): Result | undefined {
  try {
    return act(localStorage)
  } catch (error) {
    console.warn('What is being added could not be noted', error)
    return undefined
  }
}

/**
 * Ids of commands, made here and sent as `Idempotency-Key`. While nobody knows whether a
 * command has acted (no answer came, or 5xx), the same request gets the same id again, so that pressing Save
 * twice acts once. Once another command about the same entity was asked for, or the server has decided one, or something
 * of its kind is heard to have changed, they are no repeats any more: hiding an artwork again, after it was shown, is a
 * new command, also where no answer told that it was.
 */
export function createCommandIds(newId: () => string, kept: KeptIds = keptIds) {
  const idOf = new Map<string, Undecided>()
  return {
    /** The id of this request: the one of an undecided earlier attempt, else a new one. */
    of: (asked: SentRequest): string => {
      const { method, path, body, changed } = asked
      const request = `${method} ${path} ${JSON.stringify(body ?? null)}`
      const known = idOf.get(request)
      if (known !== undefined) return known.id
      const isKept = isAdded(asked)
      const before = isKept ? kept.get(request) : null
      const id = before ?? newId()
      if (isKept && before === null) kept.set(request, id)
      const entity = isKept ? null : entityOf(path)
      // Whether this one acts or not: what is asked of the entity once more after it is no repeat.
      for (const [other, { entity: its, stands }] of idOf)
        if (entity !== null && its === entity && stands.length > 0) idOf.delete(other)
      // A new entry has nothing that could change, and a form names the version that it changes.
      const isBound = isKept || (typeof body === 'object' && body !== null && 'expectedVersion' in body)
      idOf.set(request, { id, entity, stands: isBound ? [] : changed, mayHaveActed: before !== null })
      return id
    },
    /** The bodies of what is being added at that address without an answer so far, also by an earlier page. */
    beingAdded: (path: string): readonly unknown[] => {
      const start = `POST ${path} `
      return kept
        .all()
        .flatMap((request) => (request.startsWith(start) ? [JSON.parse(request.slice(start.length))] : []))
    },
    /** These have changed. */
    hear: (changed: readonly Changed[]): void => {
      for (const [request, { stands }] of idOf)
        if (stands.some((each) => changed.includes(each))) idOf.delete(request)
    },
    /** It was done, though it is to be asked for once more. */
    done: (id: string): void => {
      for (const known of idOf.values()) if (known.id === id) known.mayHaveActed = true
    },
    /** Forgets the id once the server has decided. Gives and throws what `sent` does. */
    settle: async <Answer>(id: string, sent: Promise<Answer>): Promise<Answer> => {
      const undecided = [...idOf.values()].find((known) => known.id === id)
      const forget = (): void => {
        const entity = undecided?.entity ?? null
        for (const [request, known] of idOf) {
          if (known.id !== id && (entity === null || known.entity !== entity)) continue
          idOf.delete(request)
          kept.delete(request)
        }
      }
      try {
        const answer = await sent
        forget()
        return answer
      } catch (error) {
        const isOpen = !isDecided(error) || (undecided?.mayHaveActed === true && isTurnedAway(error))
        if (!isOpen) forget()
        else if (undecided) undecided.mayHaveActed = true
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
