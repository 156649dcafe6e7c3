import { readFileSync } from 'node:fs'

/** A tick of the processor's time in ms: `USER_HZ` is 100 wherever Linux runs. */
const tickMs = 10

/**
 * How long a process's own thread has worked, in ms. A machine that is busy with other things takes nothing of it; on one
 * that does not tell, what the clock has.
 */
export const workedMs = (pid: number | undefined): number => {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')
    // proc_pid_stat(5): utime and stime, the 14th and the 15th, of which the first two are before the bracket.
    const [user = '', system = ''] = fields.split(' ').slice(11, 13)
    return (Number(user) + Number(system)) * tickMs
  } catch {
    return performance.now()
  }
}
