import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { imagePrefix, originalKey } from '#application/images/image-files.ts'
import type { Images } from '#application/ports/images.ts'
import { isOutage } from '#application/kernel/outage.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { listMessages } from '#projections/messages/queries.ts'

/** What was opened of a restored site. */
export interface Opened {
  readonly done: number
  /** what could not be opened, in words */
  readonly problems: readonly string[]
}

const messagesAtOnce = 200
/** So many images are decoded, spread over all there are; of each its original and one variant in each format. */
const imagesOpened = 12

/** Opens every message that has a key. */
export const openMessages = async (
  { documents, keyVault }: Engines,
  signal: AbortSignal,
): Promise<Opened> => {
  let done = 0
  try {
    for (let before: string | undefined; ; ) {
      signal.throwIfAborted()
      const page = await listMessages({ documents, keyVault, mail: 'off' }, { before, limit: messagesAtOnce })
      done += page?.length ?? 0
      before = page?.at(-1)?.id
      if (page === null || page.length < messagesAtOnce) return { done, problems: [] }
    }
  } catch (error) {
    signal.throwIfAborted()
    return { done, problems: [`Behind the first ${done}, letters cannot be opened: ${reasonOf(error)}`] }
  }
}

/** So many of a list, the first and the last among them. */
const spread = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most
    ? all
    : Array.from({ length: most }, (_, n) => all[Math.round((n * (all.length - 1)) / (most - 1))]).filter(
        (each) => each !== undefined,
      )

const filesOf = async (files: Engines['files'], hash: string): Promise<readonly string[]> => {
  const variants = (await files.list(imagePrefix(hash))).toSorted()
  const byFormat = new Map(variants.map((key) => [key.slice(key.lastIndexOf('.')), key]))
  return [originalKey(hash), ...byFormat.values()]
}

/** Decodes a sample of images. @param scratch an empty folder of the caller's */
export const openImageFiles = async (
  { files }: Engines,
  images: Pick<Images, 'check'>,
  scratch: string,
  signal: AbortSignal,
): Promise<Opened> => {
  const hashes = (await files.list(originalKey(''))).map((key) => key.slice(originalKey('').length))
  const problems: string[] = []
  let done = 0
  for (const hash of spread(hashes.toSorted(), imagesOpened)) {
    for (const key of await filesOf(files, hash)) {
      signal.throwIfAborted()
      const file = await files.open(key)
      if (file === null) continue
      const path = join(scratch, 'image')
      try {
        await pipeline(file.stream, createWriteStream(path))
        await images.check(path)
        done += 1
      } catch (error) {
        signal.throwIfAborted()
        // The picture is not to blame.
        if (isOutage(error)) throw error
        problems.push(`The picture file ${key} cannot be opened: ${reasonOf(error)}`)
      } finally {
        await rm(path, { force: true })
      }
    }
  }
  return { done, problems }
}
