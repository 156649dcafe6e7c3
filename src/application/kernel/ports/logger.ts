type Say = (details: object, message: string) => void

/** What the rooms need of a log; pino fits. */
export interface Logger {
  readonly info: Say
  readonly warn: Say
  readonly error: Say
}
