import { existsSync, realpathSync } from 'node:fs'
import { watchFile } from './data-folder.ts'

/**
 * Notes which write-ahead log was opened. What was saved last stands in it alone, for weeks on a quiet site: where somebody
 * takes it for something left over, it is put into the data file while it can still be read.
 * @param path of the data file, which is open
 * @param emptyLog puts all that stands in the log into the data file
 * @returns that it was removed, in words; null while it is there
 */
export const watchLog = (path: string, emptyLog: () => unknown): (() => string | null) => {
  // Beside the file itself, also where a link leads to it.
  const log = `${realpathSync(path)}-wal`
  // A disk on which processes cannot share memory has none.
  if (!existsSync(log)) return () => null
  const removed = watchFile(
    log,
    `what it saves would be lost with the power. Stop the server, which keeps all of it in ${path}, and start it again`,
  )
  return () => {
    const words = removed()
    if (words === null) return null
    try {
      emptyLog()
    } catch {
      // No room for it, or a disk that fails: the stop tries once more.
    }
    return words
  }
}
