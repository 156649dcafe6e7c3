import { resolve } from 'node:path'
import { neededOriginals } from '#application/images/lacking.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import { Refusal } from '#domain/refusal.ts'
import { type BackedUp, backUp, backUpTo } from '#infrastructure/archive/backup.ts'
import { complaintsInWords } from '#infrastructure/archive/complaints.ts'
import { fewerThanBefore, formerNights } from '#infrastructure/archive/fewer.ts'
import { keysFor } from '#infrastructure/archive/find-keys.ts'
import { joinedKeys, readKeys } from '#infrastructure/archive/keys-file.ts'
import { type Restored, restore } from '#infrastructure/archive/restore.ts'
import type { Config } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engines.ts'
import { lostLog } from '#infrastructure/lost-log.ts'
import { moveReactorToHead } from '#jobs/runtime/reactor.ts'
import { reactions } from '#jobs/reactions.ts'
import { unfinishedWork } from '#jobs/runtime/unfinished.ts'
import { readVersion } from '#infrastructure/version.ts'
import { counted, outputForBytes, inWordsWhenStopped } from './command/show.ts'
import { readingLog } from './events.ts'
import { forgetViews } from './take-log.ts'
import { given, type Args, type CommandGroup, type Operation, type Progress } from './command/operation.ts'

/** `--keys` as it was given, any number of times. */
const keysGiven = (args: Args): readonly string[] =>
  // Made by this file's own commands.
  (JSON.parse(args['keys'] ?? '[]') as readonly string[]).map((path) => resolve(path))

const wordsOf = (counts: BackedUp['counts'] | Restored['counts']): string =>
  [
    counted(counts.events, 'event'),
    counted(counts.files, 'picture file'),
    counted(counts.accounts, 'account'),
    counted(counts.keys, 'message key'),
  ].join(', ')

/** What a backup must hold. */
const needs = { needed: neededOriginals, neededKeys: neededMessageKeys }

/**
 * What is wrong with the site that was backed up, beside what it once was and what the nights before have; empty
 * when nothing is.
 */
const complaintsOf = async (
  done: BackedUp,
  keys: string,
  { engines, config }: { readonly engines: Engines; readonly config: Config },
): Promise<readonly string[]> => {
  const held = { events: done.counts.events, vault: await readKeys(keys) }
  const lost = await lostLog(engines, config)
  const fewer = config.backupDir === null ? null : fewerThanBefore(await formerNights(config.backupDir), held)
  return [
    ...(lost === null ? [] : [lost]),
    ...(fewer === null ? [] : [fewer]),
    ...complaintsInWords(done, needs),
  ].map((each) => `PROBLEM: ${each}.`)
}

const backupSite: Operation = {
  name: 'backup',
  needs: 'engines to read',
  run: async (ports, args, { signal, progress }) => {
    const { engines, clock, config } = ports
    const lost = await lostLog(engines, config)
    // What is left of a log that ends early is worth keeping; an archive without one only looks like a backup.
    if (lost !== null && (await engines.eventStore.head()) === null) throw new Refusal('blocked', lost)
    const file = given(args, 'file')
    const [keys = `${resolve(file)}.keys`] = keysGiven(args)
    const options = {
      version: readVersion(),
      createdAt: clock.now().toISOString(),
      signal,
      ...needs,
      // A data folder is only read here; what servers hold can be mended beside whoever else uses it.
      eraseAgain: config.mongodbUrl === null ? null : engines.keyVault.erase,
      onProgress: (each: Parameters<NonNullable<Parameters<typeof backUp>[2]['onProgress']>>[0]): void =>
        progress(
          each.what === 'events'
            ? readingLog({ events: each.done, share: each.share })
            : each.what === 'files'
              ? { what: 'Reading the pictures', done: each.done, total: each.total, unit: 'files' }
              : { what: 'Reading the backup again', done: each.done, total: null, unit: 'bytes' },
        ),
    }
    const keepSafe = `The keys are in ${keys}: keep only the newest, and not where the backup is.`
    return inWordsWhenStopped(signal, async () => {
      if (file === '-') {
        const done = await backUpTo(engines, outputForBytes(), keys, options)
        const complaints = await complaintsOf(done, keys, ports)
        const words = `Backed up ${wordsOf(done.counts)}. It was not read again, for it went to standard output. ${keepSafe}`
        const message = [words, ...complaints].join('\n')
        return { ok: complaints.length === 0, message, data: { ...done, keysFile: keys }, tookOutput: true }
      }
      const done = await backUp(engines, { file: resolve(file), keys }, options)
      const complaints = await complaintsOf(done, keys, ports)
      const found = complaints.length === 0 ? 'read again and found whole' : 'read again'
      const words = `Backed up ${wordsOf(done.counts)} to ${file}, ${found}. ${keepSafe}`
      const message = [words, ...complaints].join('\n')
      return { ok: complaints.length === 0, message, data: { ...done, file: resolve(file), keysFile: keys } }
    })
  },
}

const units = { check: 'bytes', files: 'files', events: 'events', compare: 'files' } as const
const doings: Readonly<Record<keyof typeof units, string>> = {
  check: 'Checking the backup',
  files: 'Bringing back the pictures',
  events: 'Bringing back the log',
  compare: 'Comparing what was brought back',
}

const restoreSite: Operation = {
  name: 'restore',
  needs: 'engines alone',
  run: async ({ engines }, args, { signal, progress }) =>
    inWordsWhenStopped(signal, async () => {
      const file = resolve(given(args, 'file'))
      const { files, newer } =
        args['withoutKeys'] === 'true' ? { files: [], newer: null } : await keysFor(file, keysGiven(args))
      const work = unfinishedWork(reactions)
      const done = await restore(engines, file, joinedKeys(files), {
        signal,
        onProgress: ({ what, done: number, total }): void => {
          const told: Progress = { what: doings[what], done: number, total, unit: units[what] }
          progress(told)
        },
        onEvent: work.see,
        onBegin: async () => {
          await forgetViews(engines.documents)
          // The log that stood here once may have been longer than the one that comes.
          await engines.logMark.place(await engines.eventStore.head())
        },
        onEnd: async () => {
          // What followed from most events was done where the backup comes from; the rest is gone on with here.
          await moveReactorToHead(engines)
          const jobs = work.jobs()
          if (jobs.length > 0) await engines.jobs.enqueue(jobs)
        },
      })
      const keysOf = files
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .at(-1)
      const lines = [
        `Restored the backup of ${done.createdAt}: ${wordsOf(done.counts)}. Everything was compared with the backup. ` +
          'Nobody is signed in.',
        ...(keysOf === undefined
          ? []
          : [`Messages erased after ${keysOf} come back unless a newer keys file is given.`]),
        ...(newer === null
          ? []
          : [
              `${newer} knows of more erased messages: restore again into an empty place with --keys ${newer}.`,
            ]),
        ...(done.unreadable === 0
          ? []
          : [
              `${counted(done.unreadable, 'message')} cannot be read: no keys file that was given has the key.`,
            ]),
      ]
      return { message: lines.join('\n'), data: { ...done, keysOf: keysOf ?? null, newerKeys: newer } }
    }),
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

export const backup: CommandGroup = {
  operations: [backupSite, restoreSite],
  commands: (program, run) => {
    const backing = program
      .command('backup')
      .description(
        'one archive of log, pictures and accounts, and a file of message keys; a server may run meanwhile',
      )
      .argument(
        '<file>',
        'what is there is replaced once the new one is whole; `-`: standard output, with --keys',
      )
      .option('--keys <path>', 'where the keys file goes (default: FILE.keys)')
    backing.action(async (file: string, { keys }: { readonly keys?: string }) => {
      if (file === '-' && keys === undefined)
        backing.error('error: backup - needs --keys PATH', { exitCode: 2 })
      await run(backupSite, { file, keys: JSON.stringify(keys === undefined ? [] : [keys]) })
    })
    const restoring = program
      .command('restore')
      .description('bring a backup into an empty place, on whatever engines; no server may run')
      .argument('<file>', 'the archive')
      .argument('[more...]', 'further keys files')
      .option(
        '--keys <path>',
        'a keys file; may be given several times (default: FILE.keys, else the newest beside it)',
        collect,
        [],
      )
      .option('--without-keys', 'restore although nobody will be able to read the messages', false)
    restoring.action(
      async (
        file: string,
        more: readonly string[],
        options: { readonly keys: readonly string[]; readonly withoutKeys: boolean },
      ) => {
        if (more.length > 0 && options.keys.length === 0)
          restoring.error('error: too many arguments for restore', { exitCode: 2 })
        if (options.withoutKeys && options.keys.length > 0)
          restoring.error('error: --keys and --without-keys exclude each other', { exitCode: 2 })
        await run(restoreSite, {
          file,
          keys: JSON.stringify([...options.keys, ...more]),
          withoutKeys: String(options.withoutKeys),
        })
      },
    )
  },
}
