import { type BigIntStats, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'

/** Where Linux tells which files this process has open. */
const openFiles = '/proc/self/fd'

type Seen = Pick<BigIntStats, 'ino' | 'dev' | 'size' | 'mtimeNs' | 'ctimeNs'>

/**
 * Whether two looks, taken together, are of one file. Where a folder of the network or of a program numbers its files
 * anew, their sizes and times tell: nobody can give a copy the time of the other's last change (ctime).
 */
export const isSameFile = (one: Seen, other: Seen): boolean =>
  (one.ino === other.ino && one.dev === other.dev) ||
  (one.size === other.size && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs)

const lookAt = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })

/** The path by which a file that is open here is looked at, whatever stands under its name; null where nobody tells. */
const openHere = (path: string): string | null => {
  const real = realpathSync(path)
  try {
    const found = readdirSync(openFiles).find((name) => {
      try {
        return readlinkSync(`${openFiles}/${name}`) === real
      } catch {
        // Closed since it was listed, as the one that listed it.
        return false
      }
    })
    return found === undefined ? null : `${openFiles}/${found}`
  } catch {
    // Only Linux has that folder.
    return null
  }
}

/**
 * Notes which data file was opened. It must never be opened a second time to look into it: closing that again would
 * take SQLite its locks.
 * @returns what became of it since, in words; null while it is there
 */
export const watchFile = (path: string): (() => string | null) => {
  const opened = statSync(path, { bigint: true })
  const here = openHere(path)
  return () => {
    const found = lookAt(path)
    const own = (here === null ? undefined : lookAt(here)) ?? opened
    if (found !== undefined && isSameFile(own, found)) return null
    return (
      `${path} was ${found === undefined ? 'removed' : 'replaced'} while this server runs, which has the former file ` +
      'open: what it writes would be lost. Stop the server, put the whole folder in its place, and start it again'
    )
  }
}
