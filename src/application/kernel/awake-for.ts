import { pause } from './retry.ts'

/** In so many pieces a time is waited for: less than one of them passes while the process stands still. */
const pieces = 10

/**
 * Waits for so long, by the time in which this process is awake; ends early when the signal is aborted. Where it stands
 * still, as in a long look through a file or on a machine that is starved, it has neither sent nor heard anything meanwhile,
 * and others are not judged by that.
 */
export const awakeFor = async (ms: number, signal: AbortSignal): Promise<void> => {
  for (let n = 0; n < pieces && !signal.aborted; n += 1) await pause(ms / pieces, signal)
}
