import type { Position } from './event-store.ts'

/**
 * How far a log once came, remembered beside it. `unknown`: nobody has noted it yet, or what was noted cannot be
 * read; `empty`: it was seen without any event, and none has been noted since.
 */
export type HighWater = 'unknown' | 'empty' | { readonly position: Position }

/**
 * The high-water mark of the log. It is written behind the log, never before it: it may stand further back than
 * the log, never ahead of it. Losing it does no harm to a log that is whole.
 */
export interface LogMark {
  readonly read: () => Promise<HighWater>
  /**
   * Makes the mark where there is none, else moves it forward: for a start, before anything is written. One on a
   * server is made by nobody else, so that whoever runs on an emptied server does not make it look whole.
   * @throws when its server does not answer
   */
  readonly begin: (position: Position | null) => Promise<void>
  /**
   * Takes in that the log has come so far (null: that it is there, without an event) and writes it down a little
   * later, together with what comes in between. Never sets the mark back; a mark that cannot be written is told
   * to the log of the program only.
   */
  readonly reached: (position: Position | null) => void
  /** Puts the mark where the log ends, wherever it stood: for whoever has chosen this log. */
  readonly place: (position: Position | null) => Promise<void>
  /** Writes down what waits. */
  readonly close: () => Promise<void>
}
