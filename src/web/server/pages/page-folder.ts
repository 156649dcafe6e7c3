import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '#application/kernel/reason.ts'
import { z } from 'zod'
import { cacheCompressed, type CachedPage, type Forms } from '../door/cached-page.ts'

/** What must be equal for a kept page to be the page of now. */
export interface PageOrigin {
  build: string
  /** all settings that the page shows */
  settings: string
  version: string
}

/** The homepage alone: it is what a restart must show at once; all others are rendered when asked for. */
const files: Readonly<Record<string, string>> = { '/': 'home.page' }

const header = z.strictObject({
  build: z.string(),
  settings: z.string(),
  version: z.string(),
  status: z.int(),
  contentType: z.string(),
  policy: z.string(),
  contentHash: z.string(),
  br: z.int(),
  gzip: z.int(),
  quality: z.int(),
})

/** Read once, at a start: code made for checking fast would cost more than it saves. */
const once = { jitless: true }

/**
 * Rendered bytes on disk, so that the first `/` after a restart needs neither React nor the read models'
 * documents. One file: a line of JSON, then the brotli and the gzip form.
 * @param folder made when first needed; may be deleted at any time
 */
export const openPageFolder = (folder: string, onError: (error: unknown) => void) => {
  return {
    /** The page kept under this key, when it is still the page of now; null in every other case. */
    read: async (
      key: string,
      origin: PageOrigin,
      common: Record<string, string>,
    ): Promise<CachedPage | null> => {
      const name = files[key]
      if (name === undefined) return null
      try {
        return parse(await readFile(join(folder, name)), origin, common)
      } catch (error) {
        if (!isMissing(error)) onError(error)
        return null
      }
    },
    /** Keeps a page in the forms that it has. A failure is told to `onError` and costs nothing but speed. */
    write: async (key: string, page: CachedPage, origin: PageOrigin): Promise<void> => {
      const name = files[key]
      if (name === undefined) return
      const file = join(folder, name)
      const fresh = `${file}.${process.pid}.tmp`
      try {
        await mkdir(folder, { recursive: true })
        await writeFile(fresh, format(page, await page.forms(), origin))
        await rename(fresh, file)
      } catch (error) {
        onError(error)
        await rm(fresh, { force: true }).catch(onError)
      }
    },
  }
}

const format = (page: CachedPage, { br, gzip, quality }: Forms, origin: PageOrigin): Buffer => {
  const { status, contentType, policy, contentHash } = page
  const head: z.output<typeof header> = {
    ...origin,
    status,
    contentType,
    policy,
    contentHash,
    br: br.length,
    gzip: gzip.length,
    quality,
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), br, gzip])
}

const parse = (file: Buffer, origin: PageOrigin, common: Record<string, string>): CachedPage | null => {
  const end = file.indexOf('\n')
  const parsed = header.safeParse(JSON.parse(file.subarray(0, end).toString('utf8')), once)
  if (!parsed.success) return null
  const { build, settings, version, br, gzip, quality, ...page } = parsed.data
  if (build !== origin.build || settings !== origin.settings || version !== origin.version) return null
  const start = end + 1
  if (file.length !== start + br + gzip) return null
  return cacheCompressed(
    { ...page, version, common },
    // Copies, so that the whole file need not stay in memory for its parts.
    {
      br: Buffer.from(file.subarray(start, start + br)),
      gzip: Buffer.from(file.subarray(start + br)),
      quality,
    },
  )
}
