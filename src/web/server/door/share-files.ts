import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing, unlessMissing } from '#application/kernel/reason.ts'

/** How long files stay that no process has brought again, in ms: a page that has been open for longer is loaded again. */
const keptMs = 30 * 24 * 60 * 60 * 1_000
/** How often a process that runs says that its files are in use, in ms. */
const saidEveryMs = 24 * 60 * 60 * 1_000
/** A copy that takes longer belongs to a process that ended in the middle of it, in ms. */
const copyingMs = 60 * 60 * 1_000
const unfinished = '.copying-'
/** What a build has brought once, also with the longer names of before; anything else that lies there is somebody's own. */
const ofABuild = /-(?:[\w-]{6}|[\w-]{8})\.(?:js|css|woff2)(?:\.(?:br|gz))?$/

const bring = async (from: string, to: string, file: string, now: Date): Promise<void> => {
  const target = join(to, file)
  try {
    // By the hash in its name what is there is the same. That it was brought again keeps it.
    await utimes(target, now, now)
  } catch (error) {
    if (!isMissing(error)) throw error
    // Whoever reads it meanwhile finds all of it or nothing.
    const half = join(to, `${unfinished}${randomUUID()}`)
    await copyFile(join(from, file), half)
    await utimes(half, now, now)
    await rename(half, target)
  }
}

/**
 * Lays the files of a build whose names carry a hash into a folder that all web processes share, so that each serves the
 * files of every build: while an update runs a page of one may be asked of a process of the other.
 * @param from folder of the built client
 */
export const shareFiles = async (from: string, shared: string, now: Date): Promise<void> => {
  const [source, target] = [join(from, 'assets'), join(shared, 'assets')]
  await mkdir(target, { recursive: true })
  for (const file of await readdir(source)) await bring(source, target, file, now)
}

/** Takes away what no process has brought for a month. */
export const removeOld = async (shared: string, now: Date): Promise<void> => {
  const target = join(shared, 'assets')
  const brought = (await readdir(target)).filter((file) => file.startsWith(unfinished) || ofABuild.test(file))
  for (const file of brought) {
    const found = await stat(join(target, file)).catch(unlessMissing)
    // Another process that begins at the same time has given it its name.
    if (found === null) continue
    const age = now.getTime() - found.mtimeMs
    if (age > (file.startsWith(unfinished) ? copyingMs : keptMs))
      await rm(join(target, file), { force: true })
  }
}

/**
 * Shares the files of a build as {@link shareFiles}, at once and then each day: of one that has run for more than a month they
 * are asked for while its update runs, and behind it. Nothing is removed on the first day: a process of a version that did not
 * say so yet may run beside.
 * @param now by the clock of this process
 * @param onError told why it could not be done this time
 * @returns what stops it
 */
export const keepShared = async (
  from: string,
  shared: string,
  now: () => Date,
  onError: (error: unknown) => void,
): Promise<() => void> => {
  const share = (): Promise<void> => shareFiles(from, shared, now())
  await share().catch(onError)
  const daily = async (): Promise<void> => {
    await share()
    await removeOld(shared, now())
  }
  const timer = setInterval(() => void daily().catch(onError), saidEveryMs).unref()
  return () => clearInterval(timer)
}
