import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { z } from 'zod'
import { canonicalJson } from '#application/kernel/archive/canonical-json.ts'
import type { VaultContents } from '#application/kernel/ports/key-vault.ts'
import { Refusal } from '#domain/refusal.ts'
import { codeOf, isMissing, unlessMissing } from '#application/kernel/reason.ts'
import { mayNotBeUsed } from '../disk-words.ts'
import { readLines } from './lines.ts'
import { headOf, openToRead } from './whole-file.ts'
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/*
 * The keys file of a backup: a line that says what it is and of when, a line for each message's
 * key or erased message, and at the end count and checksum, as in an export of events.
 */
const format = 'atelier keys 1'

const head = z.strictObject({ format: z.string(), createdAt: z.string() })
const key = z.strictObject({ id: z.string().min(1), key: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })
const erased = z.strictObject({ id: z.string().min(1), erased: z.literal(true) })
const end = z.strictObject({ lines: z.int().min(1), sha256: z.string() })

export interface KeysFile extends VaultContents {
  readonly path: string
  /** ISO 8601: the vault's contents are of that moment */
  readonly createdAt: string
}

/** Writes a vault's contents. */
export const writeKeys = async (contents: VaultContents, createdAt: string, out: Writable): Promise<void> => {
  const hash = createHash('sha256')
  let lines = 0
  const write = async (value: unknown): Promise<void> => {
    const line = `${canonicalJson(value)}\n`
    hash.update(line)
    lines += 1
    if (!out.write(line)) await once(out, 'drain')
  }
  await write({ format, createdAt })
  for (const { subjectId, key: bytes } of contents.keys) {
    await write({ id: subjectId, key: Buffer.from(bytes).toString('base64url') })
  }
  for (const id of contents.erasedIds) await write({ id, erased: true })
  out.write(`${canonicalJson({ lines, sha256: hash.digest('hex') })}\n`)
}

/** Longer than the first line of a keys file up to what tells it. */
const headBytes = 200

/** Whether a file begins as a keys file does, whatever its name; not where this process may not read it, or it is gone. */
export const beginsAsKeys = async (path: string): Promise<boolean> => {
  try {
    return (await headOf(path, headBytes)).includes(`"format":"${format}"`)
  } catch (error) {
    if (isMissing(error) || mayNotBeUsed(error)) return false
    throw error
  }
}

/** Reads a keys file. @throws {Refusal} when it is not there, is none, or is damaged */
export const readKeys = async (path: string): Promise<KeysFile> => {
  const refused = (): Refusal =>
    new Refusal('invalid', `${path} is no keys file of a backup, or it is damaged`)
  const keys: { readonly subjectId: string; readonly key: Uint8Array }[] = []
  const erasedIds: string[] = []
  const hash = createHash('sha256')
  let createdAt: string | null = null
  let last: z.output<typeof end> | null = null
  let lines = 0
  for await (const line of readLines(await openToRead(path))) {
    if (last !== null) throw refused()
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      throw refused()
    }
    const ended = end.safeParse(value)
    if (ended.success) {
      last = ended.data
      continue
    }
    hash.update(`${line}\n`)
    lines += 1
    if (createdAt === null) {
      const begun = head.safeParse(value)
      if (!begun.success || begun.data.format !== format) throw refused()
      ;({ createdAt } = begun.data)
      continue
    }
    const one = z.union([key, erased]).safeParse(value)
    if (!one.success) throw refused()
    if ('erased' in one.data) erasedIds.push(one.data.id)
    else keys.push({ subjectId: one.data.id, key: Buffer.from(one.data.key, 'base64url') })
  }
  if (createdAt === null || last?.lines !== lines || last.sha256 !== hash.digest('hex')) throw refused()
  return { path, createdAt, keys, erasedIds }
}

/** Reads a keys file; null for what is gone, and for what is no whole keys file or cannot be read. */
export const readIfWhole = async (path: string): Promise<KeysFile | null> => {
  try {
    return await readKeys(path)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/**
 * Reads a keys file; null where there is none, or a damaged one.
 * @throws {Refusal} for one that this process may not read, and what the disk says of one that it does not give
 */
export const readUnlessDamaged = async (path: string): Promise<KeysFile | null> => {
  try {
    return await readKeys(path)
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'blocked') return null
    throw error
  }
}

/** The ids that a vault knows, by a key or as erased. */
export const idsIn = ({ keys, erasedIds }: VaultContents): ReadonlySet<string> =>
  new Set([...keys.map(({ subjectId }) => subjectId), ...erasedIds])

/**
 * What several keys files hold together: nothing that any of them knows as erased.
 * @throws {Refusal} when two hold different keys of one message: they are of different sites
 */
export const joinedKeys = (files: readonly KeysFile[]): VaultContents => {
  const erasedIds = new Set(files.flatMap((file) => file.erasedIds))
  const keys = new Map<string, Uint8Array>()
  for (const { subjectId, key: bytes } of files.flatMap((file) => file.keys)) {
    if (erasedIds.has(subjectId)) continue
    const known = keys.get(subjectId)
    if (known !== undefined && !Buffer.from(known).equals(bytes))
      throw new Refusal('invalid', 'The keys files are of different sites: give those of this backup only')
    keys.set(subjectId, bytes)
  }
  return {
    keys: [...keys].map(([subjectId, bytes]) => ({ subjectId, key: bytes })),
    erasedIds: [...erasedIds],
  }
}

/**
 * The keys files that lie beside a backup and are whole, the newest first.
 * @param isNeeded one of them is: else one that the disk does not give stands in nobody's way
 */
const keysBeside = async (file: string, isNeeded: boolean): Promise<readonly KeysFile[]> => {
  const names = (await readdir(dirname(file))).filter(
    (name) => name.endsWith('.keys') && !name.startsWith('.'),
  )
  const unlessInTheWay = (error: unknown): null => {
    if (isNeeded || codeOf(error) === null) throw error
    return null
  }
  const read = await Promise.all(
    names.map((name) => readIfWhole(join(dirname(file), name)).catch(unlessInTheWay)),
  )
  return read
    .filter((each) => each !== null)
    .toSorted((a, b) => (a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1))
}

/**
 * The keys file of a backup's own name; null where there is none. A damaged one is said to be so, not passed over. It is asked for
 * by its path: some disks list names in another case or form than they take them in.
 */
const ownKeys = async (file: string): Promise<KeysFile | null> => {
  const own = `${file}.keys`
  return (await lstat(own).catch(unlessMissing)) === null ? null : readKeys(own)
}

export interface FoundKeys {
  readonly files: readonly KeysFile[]
  /** one that lies beside the backup, was not given and knows of more that was erased; null when none does */
  readonly newer: string | null
}

/**
 * Which keys files go with a backup: those given, else `FILE.keys`, else the newest beside it.
 * @throws {Refusal} when there is none, or one is damaged
 */
export const keysFor = async (file: string, given: readonly string[]): Promise<FoundKeys> => {
  const named = given.length > 0 ? await Promise.all(given.map(readKeys)) : [await ownKeys(file)]
  const theirs = named.filter((each) => each !== null)
  const [newest = null] = await keysBeside(file, theirs.length === 0)
  const found = theirs.length > 0 || newest === null ? theirs : [newest]
  if (found.length === 0)
    throw new Refusal(
      'missing',
      `There is no keys file beside ${file}, without which nobody can read the messages: name it with --keys, ` +
        'or say --without-keys',
    )
  const known = new Set(found.flatMap(({ erasedIds }) => erasedIds))
  const knowsMore = newest !== null && newest.erasedIds.some((id) => !known.has(id))
  return { files: found, newer: knowsMore ? newest.path : null }
}
