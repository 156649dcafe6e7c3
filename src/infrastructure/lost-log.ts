import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { asError, unlessMissing } from '#application/kernel/reason.ts'
import { type Position, rebuildAll } from '#application/kernel/ports/event-store.ts'
import { reactorCheckpoint } from '#application/kernel/ports/checkpoints.ts'
import { counted, listInWords } from '#domain/list-in-words.ts'
import { Refusal } from '#domain/refusal.ts'
import { apartFolder, type KeptArchive, keptArchives } from './archive/kept-archives.ts'
import { type Config, isShared } from './config/config.ts'
import { readMark } from './embedded/log-mark-file.ts'
import type { Engines } from './engine-sets.ts'

/*
 * A site whose log is gone looks like one that has never begun: it would be filled with samples, its backups
 * would push the good ones out, and its images would be taken for strays. So whatever is about to work on a
 * site asks first what is left of an earlier one.
 */

type Stores = Pick<Engines, 'eventStore' | 'logMark' | 'files' | 'keyVault' | 'accounts' | 'checkpoints'>
type Where = Pick<Config, 'dataDir' | 'backupDir' | 'eventStoreUrl' | 'mongodbUrl' | 'redisUrl'>

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null

/** What the nights have left. */
interface Backups {
  /** the newest nightly archive that holds events; null when there is none */
  readonly newest: KeptArchive | null
  /** one that cannot be read, and may hold a whole site; null when there is none */
  readonly unread: string | null
}

const none: Backups = { newest: null, unread: null }

const backupsOf = async ({ backupDir }: Pick<Config, 'backupDir'>): Promise<Backups> => {
  if (backupDir === null) return none
  const [nights, apart] = [await keptArchives(backupDir), await keptArchives(join(backupDir, apartFolder))]
  const since = nights.archives[0]?.manifest.createdAt ?? ''
  // What was set apart for what it lacks may have much that came since. What was before the last good night has not, whatever it
  // holds: another backup may have been put back instead of it.
  const [newest = null] = [
    ...nights.archives,
    ...apart.archives.filter(({ manifest }) => manifest.createdAt > since),
  ]
    .filter(({ manifest }) => manifest.counts.events > 0)
    .toSorted((a, b) => b.manifest.counts.events - a.manifest.counts.events)
  return { newest, unread: [...nights.unread, ...apart.unread][0] ?? null }
}

/** The newest for an advice: what is lost is told also where the backups cannot be looked at. */
const newestToName = async (config: Pick<Config, 'backupDir'>): Promise<KeptArchive | null> =>
  (await backupsOf(config).catch(() => none)).newest

const backupInWords = ({ newest, unread }: Backups): readonly string[] => {
  if (newest === null) return unread === null ? [] : [`a backup that cannot be read (${unread})`]
  const { createdAt, counts } = newest.manifest
  return [`a backup of ${createdAt} with ${counted(counts.events, 'event')} (${newest.path})`]
}

/** What to do, the best first. @param bringBack how the lost thing itself could come back */
const advice = (bringBack: string, backup: KeptArchive | null): string => {
  const file = backup === null ? 'FILE' : backup.path
  const begin =
    backup === null
      ? 'Where nothing better is left, "atelier events accept" goes on with what is here'
      : 'To begin a new site all the same, give it another BACKUP_DIR and run "atelier events accept"'
  return `${bringBack}, or run "atelier restore ${file}". ${begin}`
}

/**
 * How a data file that is lost comes back. What a killed server left of its write-ahead log is of that file alone: SQLite would
 * write it into any other that is put beside it.
 * @param isBare whether nothing of a site is in its folder: it may be the wrong one, or its disk not be mounted
 */
const putBackInWords = async (file: string, isBare: boolean): Promise<string> => {
  const copy = 'the file back from your copy'
  const log = await stat(`${file}-wal`).catch(unlessMissing)
  if (log !== null && log.size > 0)
    return (
      `Put ${copy}, after you have moved ${file}-wal and ${file}-shm away from beside it: they are of the lost file alone, and would ` +
      'damage any other'
    )
  return isBare
    ? `Set DATA_DIR to the folder that the site lives in, or mount the disk that it lies on. Where that is lost, put ${copy}`
    : `Put ${copy}`
}

/**
 * Whether a data folder has lost its data file, in words that say what to do; null when it has not, or never had
 * one. Asked before anything is opened: opening makes the file.
 */
export const lostFolder = async (config: Where): Promise<string | null> => {
  if (isShared(config)) return null
  const { dataDir, eventStoreUrl } = config
  const file = join(dataDir, 'atelier.db')
  const found = await stat(file).catch(unlessMissing)
  if (found !== null && found.size > 0) return null
  const mark = await readMark(dataDir, eventStoreUrl === null ? 'embedded' : 'EventStoreDB')
  // It had not begun: the first start was broken off.
  const hadBegun = mark !== 'empty'
  const backups = await backupsOf(config)
  const originals = hadBegun ? await readdir(join(dataDir, 'files', 'originals')).catch(() => []) : []
  const here = [
    ...(hadBegun && mark !== null ? ['the mark of how far the log once came'] : []),
    ...(hadBegun && (await exists(join(dataDir, 'secret'))) ? ['the secret of a site'] : []),
    ...(originals.length > 0 ? [counted(originals.length, 'original picture')] : []),
  ]
  const left = [...here, ...backupInWords(backups)]
  if (left.length === 0) return null
  const what = found === null ? 'is missing' : 'is empty'
  return (
    `${file} ${what}, although there is a site: ${listInWords(left)}. Nothing was changed. ` +
    advice(await putBackInWords(file, here.length === 0), backups.newest)
  )
}

/**
 * Whether what stands beside a log that has events has been lost, in words; null when it has not. A server that
 * starts gives the reactor its place there before it writes an event, and versions before that made an account.
 * Keys say nothing: a process that ran while all was emptied may have made one.
 */
const lostState = async ({ accounts, checkpoints }: Stores, config: Where): Promise<string | null> => {
  // In one file, which is lost as a whole.
  if (config.eventStoreUrl === null && config.mongodbUrl === null) return null
  // Read after the log: whoever writes the first event has left its traces here before.
  if ((await checkpoints.load(reactorCheckpoint)) !== null) return null
  if ((await accounts.count()) > 0) return null
  const backup = await newestToName(config)
  const inServer = config.mongodbUrl !== null
  const what = inServer ? 'MongoDB (MONGODB_URL)' : join(config.dataDir, 'atelier.db')
  const bringBack = inServer
    ? 'Give MongoDB its data back, or mend MONGODB_URL or NAMESPACE'
    : 'Put the file back from your copy'
  const elsewhere = inServer ? 'servers with another NAMESPACE' : 'another DATA_DIR, with another NAMESPACE'
  return (
    `${what} is empty, although the log has events of a site: its accounts, the keys of its letters and its ` +
    `pictures are gone, or it is another place. Nothing was changed. ${bringBack}, or restore ` +
    `${backup === null ? 'the newest backup' : backup.path} into ${elsewhere}. Where nothing better is left, ` +
    '"atelier events accept" goes on with the log alone: letters without their keys cannot be read, and the ' +
    'first account is made anew'
  )
}

/** What was lost of a site. */
export interface Loss {
  /** what, and what to do */
  readonly words: string
  /** what is served is still there: only the log is not what it was */
  readonly served: boolean
  /** the log has events, and had more: an operator may go on with it as it is; absent: no */
  readonly isOlderCopy?: boolean
}

const placeOfReactor = async ({ checkpoints }: Stores): Promise<Position | null> =>
  (await checkpoints.load(reactorCheckpoint))?.position ?? null

const furthest = (one: Position | null, other: Position | null): Position | null =>
  one === null || (other !== null && other > one) ? other : one

/**
 * What of the log of opened engines, or of what stands beside it, has been lost; null when it is whole or has not
 * begun. A whole log whose accounts, keys and images are all gone counts as lost too.
 * @throws what the engines throw when they do not answer
 */
export const findLoss = async (engines: Stores, config: Where): Promise<Loss | null> => {
  // The mark first: on servers other processes append meanwhile, and a mark read later may be of events after that head.
  const mark = await engines.logMark.read()
  const embedded = config.eventStoreUrl === null
  // Into a folder that is put back from a copy its mark comes back as well. What stands on a server does not.
  const reacted = embedded && config.mongodbUrl !== null ? await placeOfReactor(engines) : null
  const head = await engines.eventStore.head()
  const reached = furthest(typeof mark === 'object' ? mark.position : null, reacted)
  const log = embedded ? `The log in ${join(config.dataDir, 'atelier.db')}` : 'The log (EVENTSTORE_URL)'
  const bringBack = embedded
    ? 'Stop everything, move the folder away, and put its newest copy in its place'
    : 'Give EventStoreDB its data back, or mend EVENTSTORE_URL or NAMESPACE'
  if (head !== null) {
    if (reached === null || head >= reached) {
      // One in the folder tells nothing of what is on a server, nor of the data file beside it.
      const isMarked = mark !== 'unknown' && !embedded && config.mongodbUrl !== null
      const words = isMarked ? null : await lostState(engines, config)
      return words === null ? null : { words, served: false }
    }
    const backup = await newestToName(config)
    const elsewhere = embedded ? 'another DATA_DIR' : 'servers with another NAMESPACE'
    const words =
      `${log} ends at ${head}, before the place ${reached} that it had reached: its newest events are gone, it ` +
      `may be an older copy. Nothing was changed. ${bringBack}, or restore ` +
      `${backup === null ? 'the newest backup' : backup.path} into ${elsewhere}. Where nothing better is left, stop ` +
      `every process and run ${rebuildAll}: it goes on with the log as it is, and keeps accounts and keys`
    return { words, served: true, isOlderCopy: true }
  }
  const looked = await backupsOf(config).catch(asError)
  const backups = looked instanceof Error ? none : looked
  // Seen empty and never appended to: what there is belongs to a first step that was broken off.
  const [originals, keys] =
    mark === 'empty'
      ? [0, 0]
      : [
          (await engines.files.list('originals/')).length,
          (await engines.keyVault.takeOut()).keys.length + (await engines.keyVault.erasedIds()).length,
        ]
  const left = [
    ...(reached === null ? [] : [`the place ${reached} that the log had reached`]),
    ...(originals > 0 ? [counted(originals, 'original picture')] : []),
    ...(keys > 0 ? [`keys of ${counted(keys, 'letter')}`] : []),
    ...backupInWords(backups),
  ]
  if (left.length === 0) {
    // They may hold a whole site.
    if (looked instanceof Error) throw looked
    return null
  }
  const words = `${log} is empty, although there is a site: ${listInWords(left)}. Nothing was changed. `
  // What was made from it stands elsewhere.
  return { words: words + advice(bringBack, backups.newest), served: true }
}

/** The same in words only. @throws what the engines throw when they do not answer */
export const lostLog = async (engines: Stores, config: Where): Promise<string | null> =>
  (await findLoss(engines, config))?.words ?? null

/** Keeps anybody from working on a folder that has lost its data file. @throws {Refusal} in words */
export const refuseLostFolder = async (config: Where): Promise<void> => {
  const words = await lostFolder(config)
  if (words !== null) throw new Refusal('blocked', words)
}

/**
 * The same, and from beginning a site where a mistyped DATA_DIR leads: only a start, a restore and a move may begin one.
 * @throws {Refusal} in words
 */
export const refuseNoSite = async (config: Where): Promise<void> => {
  await refuseLostFolder(config)
  if (isShared(config) || existsSync(join(config.dataDir, 'atelier.db'))) return
  const words = `There is no site in ${config.dataDir}: set DATA_DIR to the folder that it lives in`
  throw new Refusal('missing', words)
}

/**
 * Keeps anybody from working on a site that has lost its log, and notes how far one that is whole has come.
 * @throws {Refusal} in words
 */
export const refuseLostLog = async (engines: Stores, config: Where): Promise<void> => {
  const words = await lostLog(engines, config)
  if (words !== null) throw new Refusal('blocked', words)
  await engines.logMark.begin(await engines.eventStore.head())
}

/** Whether no site has begun in a place. */
export const isNothing = async ({
  eventStore,
  accounts,
}: Pick<Stores, 'eventStore' | 'accounts'>): Promise<boolean> =>
  (await eventStore.head()) === null && (await accounts.count()) === 0

/**
 * Keeps a place where no site has begun from being copied, such as one of another NAMESPACE: a copy of nothing only
 * looks like a backup.
 * @throws {Refusal} in words
 */
export const refuseNothing = async (stores: Pick<Stores, 'eventStore' | 'accounts'>): Promise<void> => {
  if (!(await isNothing(stores))) return
  const words =
    'There is no site here: the log is empty, and there is no account. Check DATA_DIR, NAMESPACE and the addresses of the servers'
  throw new Refusal('missing', words)
}
