import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '#application/kernel/reason.ts'
import { z } from 'zod'
import { cacheCompressed, type CachedPage, type Forms } from '../door/cached-page.ts'
import { hashOf } from '../door/headers.ts'

/** What a page was made by, beside its version: it must be equal for the kept homepage to be that of now. */
export interface MadeBy {
  readonly build: string
  /** all settings that the page shows */
  readonly settings: string
}

const header = z.strictObject({
  build: z.string(),
  settings: z.string(),
  version: z.string(),
  status: z.int(),
  contentType: z.string(),
  policy: z.string(),
  contentHash: z.string(),
  br: z.int(),
  quality: z.int(),
})

/** Read once, at a start: code made for checking fast would cost more than it saves. */
const once = { jitless: true }

/**
 * The rendered homepage on disk, so that the first `/` after a restart needs neither React nor the read models'
 * documents; all other pages are rendered when asked for. One file: a line with the hash of what follows, a line of JSON,
 * then the brotli and the gzip form.
 * @param folder made when first needed; may be deleted at any time
 */
export const openHomeOnDisk = (folder: string, made: MadeBy, onError: (error: unknown) => void) => {
  const file = join(folder, 'home.page')
  let kept: CachedPage | null = null
  return {
    /** The kept homepage, when it is still that of now; null in every other case. */
    read: async (version: string, common: Record<string, string>): Promise<CachedPage | null> => {
      try {
        kept = parse(await readFile(file), made, version, common)
        return kept
      } catch (error) {
        if (!isMissing(error)) onError(error)
        return null
      }
    },
    /** Whether this page was read or written last. */
    holds: (page: CachedPage): boolean => page === kept,
    /** Keeps it in the forms that it has. A failure is told to `onError` and costs nothing but speed. */
    write: async (page: CachedPage): Promise<void> => {
      const fresh = `${file}.${process.pid}.tmp`
      try {
        await mkdir(folder, { recursive: true })
        await writeFile(fresh, format(page, await page.forms(), made))
        await rename(fresh, file)
      } catch (error) {
        onError(error)
        await rm(fresh, { force: true }).catch(onError)
      }
      kept = page
    },
  }
}

const sealed = (content: Buffer): Buffer => Buffer.concat([Buffer.from(`${hashOf(content)}\n`), content])

const format = (page: CachedPage, { br, gzip, quality }: Forms, made: MadeBy): Buffer => {
  const { version, status, contentType, policy, contentHash } = page
  const head: z.output<typeof header> = {
    ...made,
    version,
    status,
    contentType,
    policy,
    contentHash,
    br: br.length,
    quality,
  }
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), br, gzip])
  return sealed(content)
}

const parse = (
  file: Buffer,
  made: MadeBy,
  version: string,
  common: Record<string, string>,
): CachedPage | null => {
  const content = file.subarray(file.indexOf('\n') + 1)
  // Cut, or rotten, as behind a power cut: it would be shown so until something changes.
  if (!file.equals(sealed(content))) return null
  const start = content.indexOf('\n') + 1
  const parsed = header.safeParse(JSON.parse(content.subarray(0, start).toString('utf8')), once)
  if (!parsed.success) return null
  const { build, settings, br, quality, ...page } = parsed.data
  if (build !== made.build || settings !== made.settings || page.version !== version) return null
  return cacheCompressed(
    { ...page, common },
    // Copies, so that the whole file need not stay in memory for its parts.
    {
      br: Buffer.from(content.subarray(start, start + br)),
      gzip: Buffer.from(content.subarray(start + br)),
      quality,
    },
  )
}
