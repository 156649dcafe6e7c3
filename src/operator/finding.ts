/** What was found in one place. `hint`: it works, and could be better; `problem`: it wants something done. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'hint' | 'problem'
  /** what is, and where it is not well what to do, in words */
  readonly message: string
}

/** What one check has found, as the list that it gives: the check's name, and words that say what to do. */
const findingOf =
  (level: Finding['level']) =>
  (check: string, message: string): readonly Finding[] => [{ check, level, message }]

export const ok = findingOf('ok')
export const hint = findingOf('hint')
export const problem = findingOf('problem')
