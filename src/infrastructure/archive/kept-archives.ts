import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '#application/kernel/reason.ts'
import { Refusal } from '#domain/refusal.ts'
import { type Manifest, manifestName, parseManifest } from './manifest.ts'

/** Archives that the nightly backup makes, and the keys beside them. */
export const archiveName = /^atelier-\d{8}T\d{6}Z\.tar$/
export const keysName = /^atelier-\d{8}T\d{6}Z\.tar\.keys$/

const block = 512
/** Of an entry's header (POSIX ustar): its name, and how long it is, in octal digits. */
const nameAt = [0, 100] as const
const sizeAt = [124, 136] as const
const asText = (header: Buffer, [from, to]: readonly [number, number]): string =>
  header.toString('latin1', from, to).replace(/\0.*$/s, '').trim()

const readAt = async (file: FileHandle, from: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
  return buffer.subarray(0, bytesRead)
}

/**
 * What an archive says of itself. Only headers and the manifest are read, which the tar library cannot: it would
 * read every image for it.
 * @returns null for what is no backup, or is cut short or damaged
 */
export const manifestOf = async (path: string): Promise<Manifest | null> => {
  const file = await open(path, 'r')
  try {
    for (let at = 0; ; ) {
      const header = await readAt(file, at, block)
      const digits = asText(header, sizeAt)
      if (header.length < block || !/^[0-7]+$/.test(digits)) return null
      const size = Number.parseInt(digits, 8)
      if (asText(header, nameAt) === manifestName)
        return parseManifest(String(await readAt(file, at + block, size)))
      at += block * (1 + Math.ceil(size / block))
    }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  } finally {
    await file.close()
  }
}

/** A backup that lies in a folder. */
export interface KeptArchive {
  readonly name: string
  readonly path: string
  readonly manifest: Manifest
}

/** The whole nightly archives of a folder, the newest first; none where there is no such folder. */
export const keptArchives = async (folder: string): Promise<readonly KeptArchive[]> => {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const found: KeptArchive[] = []
  for (const name of names
    .filter((each) => archiveName.test(each))
    .toSorted()
    .toReversed()) {
    const path = join(folder, name)
    const manifest = await manifestOf(path)
    if (manifest !== null) found.push({ name, path, manifest })
  }
  return found
}
