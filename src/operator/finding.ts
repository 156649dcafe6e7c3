/** What was found in one place. `hint`: it works, and could be better; `problem`: it wants something done. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'hint' | 'problem'
  /** what is, and where it is not well what to do, in words */
  readonly message: string
}

/** Makes findings of one place. */
export const found =
  (check: string) =>
  (level: Finding['level'], message: string): Finding => ({ check, level, message })
