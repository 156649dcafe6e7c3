/** What was found in one place. `hint`: it works, and could be better; `problem`: it wants something done. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'hint' | 'problem'
  /** what is, and where it is not well what to do, in words */
  readonly message: string
}

const findingOf =
  (level: Finding['level']) =>
  (check: string, message: string): readonly Finding[] => [{ check, level, message }]

export const ok = findingOf('ok')
export const hint = findingOf('hint')
export const problem = findingOf('problem')
