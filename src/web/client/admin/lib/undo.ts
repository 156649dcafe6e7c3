import type { QueryClient } from '@tanstack/react-query'
import {
  type deleteArtwork,
  type deleteCategory,
  type deleteMedium,
  undoActivity,
} from '#web/contract/addresses.ts'
import type { AnswerOf } from '../../lib/api.ts'
import { showToast, type ToastAction } from '../../ui/toast-store.ts'
import { failureToast, successToast, UNDONE } from '../admin-constants.ts'
import { failureOf } from './failure.ts'
import { sessionEnded } from './session-end.ts'
import { type Changed, staleBySave } from './stale.ts'
import { enter, sendCommand } from './under-way.ts'

/** The call that takes something back: an act by the id of its answer's header `x-activity`, what was added by its own. */
export type WayBack = {
  by: typeof undoActivity | typeof deleteArtwork | typeof deleteCategory | typeof deleteMedium
  id: string
}

/**
 * The button of a message that takes back what it tells of; where something was added, by deleting it, which can be
 * taken back itself.
 * @param changed by the act; the lists that show it are fetched anew, whether it could be taken back or not
 */
export const takeBackAction = (
  client: QueryClient,
  way: WayBack,
  changed: readonly Changed[],
): ToastAction => ({
  label: 'Undo',
  run: () => void takeBack(client, way, changed),
})

/** Takes an act back and tells by toast what came of it. Never rejects. */
async function takeBack(
  client: QueryClient,
  { by, id }: WayBack,
  changed: readonly Changed[],
): Promise<void> {
  for (const key of staleBySave(changed)) enter(key)
  try {
    // Whoever could not take it back is to see why.
    const undone = await sendCommand(client, by, { params: { id } }, changed, { isOwed: true })
    const left = skippedIn(undone.answer)
    if (left === null) {
      const again =
        undone.activity === null
          ? null
          : takeBackAction(client, { by: undoActivity, id: undone.activity }, changed)
      showToast(UNDONE, again)
    } else showToast(successToast(left))
  } catch (error) {
    const why = failureOf(error)
    if (why.kind === 'unauthorized') {
      sessionEnded()
      return
    }
    // The server's own sentence says why: changed again since, not there any more, no connection.
    showToast(failureToast(why.message))
  }
}

/** What an undo of many things left as it is, in words; null when it took back everything. */
export function skippedIn(answer: AnswerOf<WayBack['by']>): string | null {
  if (answer === null || !('skipped' in answer) || answer.skipped.length === 0) return null
  return `${answer.skipped.map(({ sentence }) => sentence).join('. ')}.`
}
