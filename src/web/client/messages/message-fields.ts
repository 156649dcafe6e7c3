/** The fields of the message, in the order in which they stand. */
export const MESSAGE_FIELDS = ['name', 'email', 'subject', 'message'] as const
export type MessageFieldName = (typeof MESSAGE_FIELDS)[number]
export type MessageErrors = Partial<Record<MessageFieldName, string>>

/** The first field, from above, that has an error. */
export function firstWrong(errors: MessageErrors): MessageFieldName | null {
  return MESSAGE_FIELDS.find((field) => errors[field]) ?? null
}

/** Those of a server's messages that belong to fields which the visitor sees. */
export function messageErrorsOf(fields: Record<string, string>): MessageErrors {
  return Object.fromEntries(
    MESSAGE_FIELDS.flatMap((field) => (fields[field] ? [[field, fields[field]]] : [])),
  )
}

/** Those that nobody sees. */
type Unseen = 'key' | 'openedAt'

export const control = (form: HTMLFormElement, field: MessageFieldName | Unseen) => {
  const found = form.elements.namedItem(field)
  return found instanceof HTMLInputElement ||
    found instanceof HTMLSelectElement ||
    found instanceof HTMLTextAreaElement
    ? found
    : null
}

export const valueOf = (form: HTMLFormElement, field: MessageFieldName): string =>
  control(form, field)?.value ?? ''

export function write(form: HTMLFormElement, field: MessageFieldName | Unseen, text: string): void {
  const found = control(form, field)
  if (found) found.value = text
}
