import { mkdir, readdir, stat, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { codeOf, isMissing, reasonOf } from '#application/kernel/reason.ts'
import { Refusal } from '#domain/refusal.ts'
import { isLink, leadsNowhereInWords } from '../disk-words.ts'
import type { LackingFile } from '#application/kernel/archive/needed-files.ts'
import {
  type BackedUp,
  type BackedUpStores,
  type BackupOptions,
  type BackupPlace,
  backUp,
  complaintsInWords,
} from './backup.ts'
import {
  apartFolder,
  archiveName,
  fewerThanBefore,
  formerNights,
  type Held,
  holdsWhole,
  keptArchives,
  keysName,
  manifestOf,
  ofOtherSite,
  whyNotReplaced,
} from './kept-archives.ts'
import { removeLeftParts } from './left-parts.ts'

const keptNights = 7

const partName = /^\.atelier-\d{8}T\d{6}Z\.tar.*\.part$/

const nameOf = (createdAt: string): string =>
  `atelier-${createdAt.replaceAll(/[-:]/g, '').replace(/\.\d+/, '')}.tar`

/** The newest archives, by name, that still hold files which are lacking now, or may: nobody else has them. */
const lastToHold = async (folder: string, lacking: readonly LackingFile[]): Promise<ReadonlySet<string>> => {
  const open = new Set(lacking)
  const holding = new Set<string>()
  if (open.size === 0) return holding
  const { archives, unread } = await keptArchives(folder)
  // One that the disk does not give may hold them.
  for (const path of unread) holding.add(basename(path))
  for (const { name, path } of archives) {
    if (open.size === 0) break
    const manifest = await manifestOf(path)
    for (const file of open) {
      if (manifest === null || !holdsWhole(manifest, file)) continue
      open.delete(file)
      holding.add(name)
    }
  }
  return holding
}

/**
 * Names the newest first. One that is named after a time to come was made by a clock that ran ahead, and counts as the
 * oldest; one that was made since tonight's began is of who took over while this process stood still.
 * @param newest how one that is made now is named
 */
const newestFirst = (names: readonly string[], newest: string): readonly string[] => {
  const sorted = names.toSorted().toReversed()
  // The keys file's name begins with its archive's.
  const isAhead = (name: string): boolean => name > newest && !name.startsWith(newest)
  return [...sorted.filter((name) => !isAhead(name)), ...sorted.filter(isAhead)]
}

/**
 * Removes older backups. One that cannot be removed fails no night: it would be made again each hour, and those would push
 * out the nights.
 * @returns what is left, in words; empty when nothing is
 */
const removeAll = async (paths: readonly string[], folder: string): Promise<readonly string[]> => {
  const left: string[] = []
  for (const path of paths) {
    try {
      await unlink(path)
    } catch (error) {
      if (!isMissing(error)) left.push(`${path} (${codeOf(error) ?? reasonOf(error)})`)
    }
  }
  return left.length === 0
    ? left
    : [`An older backup cannot be removed: ${left.join(', ')}. Where it is to stay, move it out of ${folder}`]
}

/**
 * Removes what is kept no longer: older nights, and all keys but the newest, which know what they knew.
 * @returns as {@link removeAll}
 */
const tidy = async (
  folder: string,
  newest: string,
  lacking: readonly LackingFile[],
): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  // A folder of such a name is somebody's own, such as an archive that was unpacked.
  const files = entries.filter((each) => !each.isDirectory())
  const names = newestFirst(
    files.map(({ name }) => name),
    newest,
  )
  const holding = await lastToHold(folder, lacking)
  const old = [
    ...names
      .filter((name) => archiveName.test(name))
      .slice(keptNights)
      .filter((name) => !holding.has(name)),
    ...names.filter((name) => keysName.test(name)).slice(1),
  ]
  return removeAll(
    old.map((name) => join(folder, name)),
    folder,
  )
}

/**
 * Removes from where backups are set apart what tonight's takes the place of: of what it lacks nobody else may have it.
 * @returns as {@link removeAll}
 */
const tidyApart = async (
  apart: string,
  tonight: BackupPlace,
  held: Held,
  lacking: readonly LackingFile[],
): Promise<readonly string[]> => {
  const entries = await readdir(apart, { withFileTypes: true })
  const paths = entries
    .filter((each) => (archiveName.test(each.name) || keysName.test(each.name)) && !each.isDirectory())
    .map(({ name }) => join(apart, name))
  const old: string[] = []
  for (const file of new Set(paths.map((path) => path.replace(/\.keys$/, '')))) {
    if (file === tonight.file) continue
    const former = { file, keys: `${file}.keys` }
    const isLess = await whyNotReplaced(former, held, { archive: tonight.file, lacking }).then(
      (why) => why === null,
      (error: unknown) => {
        // One that the disk does not give may hold more.
        if (error instanceof Refusal || codeOf(error) !== null) return false
        throw error
      },
    )
    if (isLess) old.push(...paths.filter((path) => path.startsWith(file)))
  }
  return removeAll(old, apart)
}

/** Of what the disk does not give nobody knows. */
const unlessDiskFails = (error: unknown): null => {
  if (codeOf(error) !== null) return null
  throw error
}

/** What is said of earlier nights that may hold more than this one. */
const unreadInWords = (unread: readonly string[], folder: string): string =>
  `${unread.join(', ')} cannot be read, so nobody knows what is lost with it: no older backup was removed. Give it ` +
  `to the user that runs Atelier, or move it out of ${folder}`

/** What is said when the nights before have gone: they may lie on a disk that is not mounted. */
export const goneInWords = (last: string, folder: string): string =>
  `The backup of ${last} is not in ${folder}, nor is any before it: where that is a disk of its own, mount it. Where they ` +
  'were moved away on purpose, nothing needs to be done'

export interface Night extends BackedUp {
  /** what is wrong with the site that was backed up, in words; null when nothing is */
  readonly complaint: string | null
}

export interface NightOptions extends Omit<BackupOptions, 'onProgress' | 'placeOf'> {
  /** when the last one was finished, ISO 8601; null or absent: there was none */
  readonly last?: string | null
  /** what time it is by the clock that `createdAt` is of; absent: no time has passed since */
  readonly now?: () => Date
}

/**
 * Makes the backup of a night in a folder, and only then lets older ones go: seven are kept, of the keys only
 * the newest, so that what was erased is gone from all of them. One that holds less than an
 * earlier night, or is of another site, is set apart, and nothing goes, nor does where an earlier one cannot be read; one that lacks files
 * leaves the last archive that has them.
 * @param folder made when it is not there
 * @throws {Refusal} {DiskFull} in words
 */
export const backUpNightly = async (
  site: BackedUpStores,
  folder: string,
  { last = null, now, ...options }: NightOptions,
): Promise<Night> => {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(async (error: unknown) => {
    throw isMissing(error) && (await isLink(folder))
      ? new Refusal('blocked', leadsNowhereInWords(folder))
      : error
  })
  const tonight = nameOf(options.createdAt)
  const apart = join(folder, apartFolder)
  await removeLeftParts(folder, (name) => partName.test(name))
  const before = await formerNights(folder)
  const placeIn = (place: string): BackupPlace => {
    const file = join(place, tonight)
    return { file, keys: `${file}.keys` }
  }
  const found: { less: { readonly why: string; readonly held: Held } | null } = { less: null }
  // Never among the others, where a kill would leave it.
  const placeOf = async (held: Held, archive: string): Promise<BackupPlace> => {
    const [most] = before.archives
    const why =
      fewerThanBefore(before, held) ??
      (most === undefined ? null : await ofOtherSite(most.path, archive).catch(unlessDiskFails))
    if (why === null) return placeIn(folder)
    found.less = { why, held }
    await mkdir(apart, { recursive: true, mode: 0o700 })
    return placeIn(apart)
  }
  const done = await backUp(site, placeIn(folder), { ...options, placeOf })
  if (found.less !== null) {
    const { why, held } = found.less
    const place = placeIn(apart)
    const left = await tidyApart(apart, place, held, done.lacking)
    const fewer =
      `${why}. No older backup was removed, tonight's lies in ${place.file}. Look with "atelier doctor"; where it ` +
      `is meant to be so, move the older backups out of ${folder}`
    return { ...done, complaint: [fewer, ...left].join('. ') }
  }
  const { archives, unread } = before
  const isEmpty = archives.length + unread.length === 0 && (await stat(apart).catch(() => null)) === null
  const passed = now?.().toISOString() ?? options.createdAt
  // A clock that was set back meanwhile leaves tonight's the newest.
  const newest = nameOf(passed > options.createdAt ? passed : options.createdAt)
  const left =
    unread.length === 0 ? await tidy(folder, newest, done.lacking) : [unreadInWords(unread, folder)]
  const complaints = [
    ...complaintsInWords(done, options),
    ...left,
    ...(last === null || !isEmpty ? [] : [goneInWords(last, folder)]),
  ]
  return { ...done, complaint: complaints.length === 0 ? null : complaints.join('. ') }
}
