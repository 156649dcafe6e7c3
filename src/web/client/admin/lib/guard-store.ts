/** Forms with unsaved changes. A plain store, so that code outside of React can release it. */

export type LeaveQuestion = { title: string; text: string; stay: string; go: string }

export type GuardedForm = {
  /** which part asks before it closes, e.g. `content` or `artwork` */
  scope: string
  isDirty: () => boolean
  /** what is asked before it is left; without it, whether its unsaved changes may be discarded */
  question?: LeaveQuestion | undefined
  /** forgets the changes and their draft: called when she decides to leave without them */
  discard: () => void
}

const forms = new Set<GuardedForm>()
let released = false

/** Adds a form; gives the way to take it out. */
export function addForm(form: GuardedForm): () => void {
  forms.add(form)
  return () => forms.delete(form)
}

/** The forms with unsaved changes, all of them or those of one scope. */
export function dirtyForms(scope?: string): readonly GuardedForm[] {
  if (released) return []
  return [...forms].filter((form) => (scope === undefined || form.scope === scope) && form.isDirty())
}

/** From now on nothing asks any more: the page is being left for the login, and drafts are kept. */
export function releaseGuards(): void {
  released = true
}
