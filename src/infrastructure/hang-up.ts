import { isatty } from 'node:tty'

/** What the system gives a process to read from, to write to and to complain to. */
const standardStreams = [0, 1, 2] as const

/**
 * Whoever leads all three elsewhere, as `nohup` and services do, wants the process to outlive the terminal it was begun on.
 * Node takes back at its start what `nohup` has set, so the first connection that drops would end it; nor is a signal by
 * which others open their log again, as after a rotation, a reason to end.
 */
export const outliveTerminal = (): void => {
  if (!standardStreams.some((stream) => isatty(stream))) process.on('SIGHUP', () => undefined)
}
