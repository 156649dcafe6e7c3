import { useRef, useState } from 'react'
import { dropDraft, keepDraft, withholdDraft } from './drafts.ts'
import { changesOf, typedSince } from './edits.ts'
import { isUndecided } from './failure.ts'
import type { Save, Saving } from './save.ts'
import { commandIds } from './command-ids.ts'
import type { EntityForm } from './use-entity-form.ts'

/** What an earlier page has sent of a draft, where no answer came; null where it has sent nothing, or was answered. */
const ofEarlierPage = <Body>(path: string, sent: unknown): Body | null =>
  // Sent from here alone.
  (commandIds.beingAdded(path) as readonly Body[]).find(
    (body) => JSON.stringify(body) === JSON.stringify(sent),
  ) ?? null

type AddingForm<Values extends object> = Pick<EntityForm<Values>, 'draft' | 'send' | 'goOn'>

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

type Sending<Input, Answer> = Saving & Pick<Save<Input, Answer>, 'save'>

type AddingOptions<Values extends object, Found, Body extends object, Change extends object> = {
  /** where new ones are added */
  path: string
  adding: Sending<{ body: Body }, Found>
  correcting: Sending<{ params: { id: string }; body: Change & { expectedVersion: number } }, Found>
  newBodyOf: (values: Values) => Body
  bodyOf: (changes: Partial<Values>) => Change
  valuesOf: (record: Found) => Values
  /** of the record once it is added */
  draftName: (id: string) => string
}

/**
 * How a new record is added. Of what was sent without an answer it is not known whether it was added: that is asked for
 * again, not another with what was typed since, and then becomes what is sent now.
 * @returns the record, once it was added while more was typed: the form goes on with it
 */
export function useAdding<
  Values extends object,
  Found extends { id: string; version: number },
  Body extends object,
  Change extends object,
>(options: AddingOptions<Values, Found, Body, Change>) {
  const { path, adding, correcting, newBodyOf, bodyOf, valuesOf, draftName } = options
  const [added, setAdded] = useState<Found | null>(null)
  const unanswered = useRef<Body | null>(null)

  /** Makes what was added of what was sent before into what is sent now; null when that failed. What is `typed` by then waits. */
  const corrected = async (
    { draft }: AddingForm<Values>,
    found: Found,
    sent: Body,
    values: Values,
    typed: Values,
  ) => {
    const [added, asked] = [valuesOf(found), newBodyOf(values)]
    const changes = changesOf(typedSince(sent, asked, values, added))
    if (Object.keys(changes).length === 0) return found
    const { id, version } = found
    const body = { ...bodyOf(changes), expectedVersion: version }
    const correct = () => correcting.save({ params: { id }, body })
    const left = typedSince(sent, newBodyOf(typed), typed, added, asked)
    const saved = await asDraftOf(draftName(id), left, draft, correct)
    return saved.ok ? saved.answer : null
  }

  /**
   * Adds what a form holds.
   * @param values what is sent
   * @param typed what the form holds by the time of the answer
   * @returns whether the form is done with
   */
  const add = async (form: AddingForm<Values>, values: Values, typed: () => Values): Promise<boolean> => {
    const { draft } = form
    const sent = unanswered.current ?? ofEarlierPage<Body>(path, draft.sent()) ?? newBodyOf(values)
    draft.noteSent(sent)
    const saved = await form.send(async () => {
      const first = await adding.save({ body: sent })
      return first.ok ? { ...first, now: await corrected(form, first.answer, sent, values, typed()) } : first
    })
    unanswered.current = !saved.ok && isUndecided(saved.failure) ? sent : null
    if (!saved.ok) return false
    const known = saved.now ?? saved.answer
    const by = typed()
    const asked = newBodyOf(values)
    const since = typedSince(saved.now ? asked : sent, newBodyOf(by), by, valuesOf(known), asked)
    const isDone = form.goOn(since, draftName(known.id))
    if (!isDone) setAdded(known)
    return isDone
  }
  return { added, add, pending: adding.pending || correcting.pending, failure: adding.failure }
}
