import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Undone } from '#web/contract/activity.ts'
import { ask } from '../../lib/api.ts'
import { showToast, type ToastAction } from '../../ui/toast-store.ts'
import { ACTIVITY_WORDS, failure, success } from '../admin-constants.ts'
import { commandIds } from './command-ids.ts'
import { failureOf } from './failure.ts'
import { KEYS } from './queries.ts'
import { refresh } from './refresh.ts'
import { sessionEnded } from './session-end.ts'
import { untilShown } from './until-shown.ts'

/**
 * The button of a message that takes back what it tells of.
 * @param activity the act's id, as its answer's header `x-activity` named it
 * @param lists those that show it; they are fetched anew, whether it could be taken back or not
 */
export function undoAction(client: QueryClient, activity: string, lists: readonly QueryKey[]): ToastAction {
  return takeBackAction(client, { method: 'POST', path: undoPath(activity) }, lists)
}

/**
 * The button of a message that tells of something added: deleting it takes that back, and can be taken back itself.
 * @param path of what was added
 */
export function deleteAction(client: QueryClient, path: string, lists: readonly QueryKey[]): ToastAction {
  return takeBackAction(client, { method: 'DELETE', path }, lists)
}

type Way = { method: 'POST' | 'DELETE'; path: string }

const takeBackAction = (client: QueryClient, way: Way, lists: readonly QueryKey[]): ToastAction => ({
  label: ACTIVITY_WORDS.undo,
  run: () => void takeBack(client, way, lists),
})

/** Takes an act back and tells by toast what came of it. Never rejects. */
async function takeBack(
  client: QueryClient,
  { method, path }: Way,
  lists: readonly QueryKey[],
): Promise<void> {
  const idempotencyKey = commandIds.of(method, path, undefined)
  const refreshed = async (): Promise<void> => {
    await Promise.all([...lists, KEYS.activity].map((key) => refresh(client, key)))
  }
  try {
    const undone = await commandIds.settle(
      idempotencyKey,
      untilShown(() => ask<object | undefined>(method, path, { idempotencyKey })),
    )
    await refreshed()
    const left = skippedIn(undone.answer)
    if (left === null) {
      const again = undone.activity === null ? null : undoAction(client, undone.activity, lists)
      showToast(ACTIVITY_WORDS.undone, again)
    } else showToast(success(left))
  } catch (error) {
    const why = failureOf(error)
    if (why.kind === 'unauthorized') {
      sessionEnded()
      return
    }
    // The server's own sentence says why: changed again since, not there any more, no connection.
    showToast(failure(why.message))
    await refreshed()
  }
}

export const undoPath = (activity: string): string => `/api/activity/${encodeURIComponent(activity)}/undo`

/** What an undo of many things left as it is, in words; null when it took back everything. */
export function skippedIn(answer: object = {}): string | null {
  const { skipped } = answer as Partial<Undone> // one of the contract's answers of this call
  return skipped === undefined || skipped.length === 0
    ? null
    : `${skipped.map(({ sentence }) => sentence).join('. ')}.`
}
