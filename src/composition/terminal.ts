import { inWords, levelOf } from '#infrastructure/log/words.ts'

/** From this level on a line is shown although progress stands (pino: warn). */
const warning = 40

/** Columns of a terminal that does not tell them. */
const usualWidth = 80

/** So many characters wait at most while its output is held; further lines are left out. */
const mostHeld = 64 * 1024

/** The terminal that a server is started on. What is held stands below whatever the log says. */
export interface Terminal {
  /** A line of the log. Informational ones are left out while progress stands. */
  readonly write: (line: string) => void
  /** One line that says how far it is, in place of the one before. Nothing once the terminal has settled. */
  readonly progress: (words: string) => void
  /** Shows at once what stays last: however the process ends, it was seen. */
  readonly hold: (lines: readonly string[]) => void
  /** Takes the progress away; what is held stays below every later line. Again: nothing. */
  readonly settle: () => void
}

/** Shows a start on a terminal. */
export const openTerminal = (
  out: Pick<NodeJS.WriteStream, 'write' | 'columns' | 'writableLength'>,
): Terminal => {
  let going: string | null = null
  let held: readonly string[] = []
  let settled = false
  // A terminal that does not tell its width says 0.
  const width = (): number => out.columns || usualWidth
  const cut = (line: string): string => line.slice(0, width() - 1)
  const rowsOf = (line: string): number => Math.max(1, Math.ceil(line.length / width()))

  // What stands at the bottom: the progress, and below it what is held. A progress alone has no line break behind it.
  const wiping = (): string => {
    if (held.length === 0) return going === null ? '' : '\r\u001B[K'
    const rows = held.reduce((sum, line) => sum + rowsOf(line), going === null ? 0 : 1)
    return `\r\u001B[${rows}A\u001B[J`
  }
  const drawing = (): string => {
    if (held.length === 0) return going === null ? '' : cut(going)
    return [...(going === null ? [] : [cut(going)]), ...held].map((line) => `${line}\n`).join('')
  }
  const redraw = (change: () => void): void => {
    const wipe = wiping()
    change()
    const text = wipe + drawing()
    if (text !== '') out.write(text)
  }

  return {
    write: (line) => {
      if ((going !== null && levelOf(line) < warning) || out.writableLength > mostHeld) return
      out.write(`${wiping()}${inWords(line)}\n${drawing()}`)
    },
    progress: (words) => {
      if (settled || going === words) return
      redraw(() => {
        going = words
      })
    },
    hold: (lines) =>
      redraw(() => {
        held = lines
      }),
    settle: () => {
      if (settled) return
      settled = true
      if (going === null) return
      redraw(() => {
        going = null
      })
    },
  }
}
