import { ApiError } from '../../lib/api.ts'
import { ADMIN_WORDS } from '../admin-constants.ts'

/**
 * Why a call failed, as the screens need it.
 * - `unauthorized`: nobody is signed in any more
 * - `conflict`: 409; `current` is the entity as it is now when somebody else changed it, null when a name is
 *   taken (then `fields` says where) or an action is not possible any more
 * - `fields`: 422; one message by field path
 * - `offline`: no answer came
 * - `refused`: everything else
 * `message` is a sentence for the person, the server's own where it sent one.
 */
export type Failure =
  | { kind: 'unauthorized'; message: string }
  | { kind: 'conflict'; message: string; fields: Readonly<Record<string, string>>; current: unknown }
  | { kind: 'fields'; message: string; fields: Readonly<Record<string, string>> }
  | { kind: 'offline'; message: string }
  | { kind: 'refused'; message: string; status: number }

/**
 * Whether a failed call means "signed out": status 401 or the word itself, as all that the server says. A body may hold
 * texts of hers beside that, and those any word.
 */
export function isUnauthorized(error: unknown): boolean {
  if (error instanceof ApiError)
    return error.status === 401 || (error.serverMessage ?? error.text) === 'Unauthorized'
  return (
    error instanceof Error && (error.message.startsWith('401: ') || error.message.includes('Unauthorized'))
  )
}

/** Sorts an error thrown by `call` or `uploadImage` by what the person can do about it. */
export function failureOf(error: unknown): Failure {
  if (isUnauthorized(error)) return { kind: 'unauthorized', message: ADMIN_WORDS.loggedOut }
  if (!(error instanceof ApiError))
    return {
      kind: 'offline',
      message: 'The site cannot be reached. Check the connection and try again; what you typed stays here.',
    }
  const message = sentenceOf(error)
  if (error.status === 409) {
    return { kind: 'conflict', message, fields: error.fields, current: error.body['current'] ?? null }
  }
  if (error.status === 422) return { kind: 'fields', message, fields: error.fields }
  return { kind: 'refused', message, status: error.status }
}

/** The server's sentence; one for the page of a proxy, which has none for her. */
export function sentenceOf({ serverMessage, status }: ApiError): string {
  if (serverMessage !== null) return serverMessage
  const what = status >= 500 ? 'The site cannot answer just now' : 'The site did not take this'
  return `${what} (${status}). Please try again in a moment; what you typed stays here.`
}

/** Whether nobody knows if the server did what it was asked for: no answer came, or one of a server in trouble. */
export const isUndecided = (failure: Failure | null): boolean =>
  failure?.kind === 'offline' || (failure?.kind === 'refused' && failure.status >= 500)

/** The messages to show at fields, by field path; empty when the failure is about none. */
export function fieldErrors(failure: Failure | null): Readonly<Record<string, string>> {
  return failure?.kind === 'fields' || failure?.kind === 'conflict' ? failure.fields : {}
}

/**
 * The sentence to show inside a form whose save failed (`FormAlert`); null where fields, toast or
 * `ConflictNotice` say it already.
 * @param shown the field paths at which the form shows messages
 * @param conflicts how many fields `ConflictNotice` shows
 */
export function alertOf(failure: Failure | null, shown: readonly string[], conflicts: number): string | null {
  if (failure === null || failure.kind === 'unauthorized') return null
  if (failure.kind === 'conflict' && failure.current !== null) {
    return conflicts > 0
      ? null
      : 'Something else was changed here meanwhile. Save again to add your changes to it.'
  }
  const named = Object.keys(fieldErrors(failure))
  return named.length > 0 && named.every((path) => shown.includes(path)) ? null : failure.message
}
