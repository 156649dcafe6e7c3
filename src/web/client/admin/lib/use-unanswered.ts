import { useRef } from 'react'
import { dropDraft, keepDraft, withholdDraft } from './drafts.ts'
import { isUndecided } from './failure.ts'
import type { Saved } from './save.ts'
import { commandIds } from './command-ids.ts'

/** What is noted with a draft about its sending, see `useDraft`. */
type SentOfDraft = { sent: () => unknown; noteSent: (sent: unknown) => void }

/**
 * What was sent of a new record without an answer: whether it was added is not known, so it is asked for again, not for
 * another with what was typed since.
 * @param path where new ones are added
 */
export function useUnanswered<Body>(path: string, draft: SentOfDraft) {
  const unanswered = useRef<Body | null>(null)
  return {
    /** What is to be sent: this, or what was sent before. */
    instead: (body: Body): Body => {
      const sent = unanswered.current ?? ofEarlierPage<Body>(path, draft.sent()) ?? body
      draft.noteSent(sent)
      return sent
    },
    /** What came of it. */
    heard: (sent: Body, saved: { ok: true } | Extract<Saved<unknown>, { ok: false }>): void => {
      unanswered.current = !saved.ok && isUndecided(saved.failure) ? sent : null
    },
  }
}

/** What an earlier page has sent of a draft, where no answer came; null where it has sent nothing, or was answered. */
const ofEarlierPage = <Body>(path: string, sent: unknown): Body | null =>
  // Sent from here alone.
  (commandIds.beingAdded(path) as readonly Body[]).find(
    (body) => JSON.stringify(body) === JSON.stringify(sent),
  ) ?? null

/** Longer than until a form that goes on has kept what it holds. */
const KEPT_AFTER_MS = 1_000

/**
 * Corrects what was just added, with what is corrected as its own draft meanwhile: a tab that dies before the answer must
 * not add another one from the draft of the new one.
 */
export async function asDraftOf<Result extends { ok: boolean }>(
  name: string,
  edits: object,
  draft: { drop: () => void },
  correct: () => Promise<Result>,
): Promise<Result> {
  const at = new Date()
  keepDraft(name, edits, at)
  const end = withholdDraft(name)
  draft.drop()
  const drop = (): void => {
    end()
    // A form that was closed meanwhile has kept there what was typed.
    dropDraft(name, at)
  }
  const corrected = await correct()
  // A page that is being left fails as well, and nobody keeps it there.
  if (corrected.ok) drop()
  else setTimeout(drop, KEPT_AFTER_MS)
  return corrected
}
