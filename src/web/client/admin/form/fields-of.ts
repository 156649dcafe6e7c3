import type { EditedForm } from '../lib/edits.ts'

/** The fields that hold whatever is typed. */
export type TextKeyOf<Values> = {
  [K in keyof Values]: Values[K] extends string ? (string extends Values[K] ? K : never) : never
}[keyof Values] &
  string

/** What a text field of a form is given by its key: its name, label, value and error. */
export const fieldsOf =
  <Values extends object>(
    { value, set }: Pick<EditedForm<Values>, 'value' | 'set'>,
    labelOf: (key: keyof Values & string) => string,
    errors: Readonly<Record<string, string>>,
  ) =>
  <K extends TextKeyOf<Values>>(key: K) => ({
    name: key,
    label: labelOf(key),
    // By its key it holds text, and may hold any.
    value: value[key] as string,
    // As above.
    onChange: (text: string) => set(key, text as Values[K]),
    error: errors[key],
  })
