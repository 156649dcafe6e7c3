import { useRef } from 'react'
import { dropDraft, keepDraft, withholdDraft } from './drafts.ts'
import { changesOf, typedSince } from './edits.ts'
import { isUndecided } from './failure.ts'
import type { Saved } from './save.ts'
import { commandIds } from './command-ids.ts'
import type { EntityForm } from './use-entity-form.ts'

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

type NewRecord<Values extends object, Found, Body extends object> = {
  form: Pick<EntityForm<Values>, 'draft' | 'send' | 'goOn'>
  unanswered: ReturnType<typeof useUnanswered<Body>>
  add: (body: Body) => Promise<Saved<Found>>
  correct: (added: Found, changes: Partial<Values>) => Promise<Saved<Found>>
  bodyOf: (values: Values) => Body
  valuesOf: (record: Found) => Values
  /** of the record once it is added */
  draftName: (id: string) => string
}

/**
 * Adds what a form holds. What was answered may be what was sent before, without an answer: then it becomes what is sent now.
 * @param values what is sent
 * @param typed what the form holds by the time of the answer
 * @returns the record, and whether the form is done with; null where it was not added
 */
export async function addAsTyped<Values extends object, Found extends { id: string }, Body extends object>(
  { form, unanswered, add, correct, bodyOf, valuesOf, draftName }: NewRecord<Values, Found, Body>,
  values: Values,
  typed: () => Values,
): Promise<{ known: Found; isDone: boolean } | null> {
  const sent = unanswered.instead(bodyOf(values))
  /** null when that failed */
  const corrected = async (added: Found): Promise<Found | null> => {
    const edits = typedSince(sent, bodyOf(values), values, valuesOf(added))
    const changes = changesOf(valuesOf(added), edits)
    if (Object.keys(changes).length === 0) return added
    const saved = await asDraftOf(draftName(added.id), edits, form.draft, () => correct(added, changes))
    return saved.ok ? saved.answer : null
  }
  const saved = await form.send(async () => {
    const first = await add(sent)
    return first.ok ? { ...first, now: await corrected(first.answer) } : first
  })
  unanswered.heard(sent, saved)
  if (!saved.ok) return null
  const known = saved.now ?? saved.answer
  const by = typed()
  const since = typedSince(saved.now ? bodyOf(values) : sent, bodyOf(by), by, valuesOf(known))
  return { known, isDone: form.goOn(since, draftName(known.id)) }
}
