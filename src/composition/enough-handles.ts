import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { codeOf } from '#application/kernel/reason.ts'
import { lacksHandles } from '#application/kernel/outage.ts'

/** So many files and connections must still fit: the site's own and a few dozen readers. */
export const leastHandles = 64

/**
 * Whether the process may open as many files and connections as a site needs: with fewer a start would stand still in
 * its middle, or blame the disk. @throws in words what to do
 */
export const refuseFewHandles = (
  open: () => number = () => openSync(devNull, 'r'),
  close = closeSync,
): void => {
  const held: number[] = []
  try {
    while (held.length < leastHandles) held.push(open())
  } catch (error) {
    if (!lacksHandles(error)) throw error
    throw new Error(
      `Only ${held.length} more files and connections may be opened, and the site needs at least ${leastHandles}: ` +
        (codeOf(error) === 'EMFILE'
          ? 'raise the limit of this process ("ulimit -n 1024" before the start, LimitNOFILE= of a service)'
          : 'this machine has too many files open. Stop what opens them, or raise its limit'),
      { cause: error },
    )
  } finally {
    held.forEach(close)
  }
}
