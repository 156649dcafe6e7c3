/**
 * Why a command was refused, in the kinds an edge must tell apart:
 * - `missing`: there is no such thing (404)
 * - `taken`: a name is in use (409)
 * - `blocked`: the state does not allow it now (409)
 * - `invalid`: a value breaks a rule (422)
 */
export type RefusalKind = 'missing' | 'taken' | 'blocked' | 'invalid'

/** A decision's no. The message is for the person; `fields` names the values at fault, by path. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly kind: RefusalKind
  readonly fields: Readonly<Record<string, string>> | undefined

  constructor(kind: RefusalKind, message: string, fields?: Readonly<Record<string, string>>) {
    super(message)
    this.kind = kind
    this.fields = fields
  }
}

/** A refusal of one field's value; its message stands at the field and as the sentence of the whole. */
export const invalidField = (field: string, message: string): Refusal =>
  new Refusal('invalid', message, { [field]: message })

/** A refusal of a name that another of its set has. */
export const nameTaken = (field: string, message: string): Refusal =>
  new Refusal('taken', message, { [field]: message })

/** The refusal of an undo that would overwrite a later change. */
export const changedSince = (): Refusal =>
  new Refusal('blocked', 'This was changed again since, so it can no longer be undone')

/** The refusal to undo what lasts. */
export const cannotBeUndone = (): Refusal => new Refusal('blocked', 'This cannot be undone')
