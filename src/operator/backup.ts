import { resolve } from 'node:path'
import type { Command } from 'commander'
import { neededOriginals } from '#application/images/lacking.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import { Refusal } from '#domain/refusal.ts'
import { type BackedUp, backUp, backUpTo, complaintsInWords } from '#infrastructure/archive/backup.ts'
import { refuseHalfFilled } from '#infrastructure/archive/filling-record.ts'
import { fewerThanBefore, formerNights } from '#infrastructure/archive/kept-archives.ts'
import { keysFor, joinedKeys, readKeys } from '#infrastructure/archive/keys-file.ts'
import { restore } from '#infrastructure/archive/restore.ts'
import type { Config } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { lostLog, refuseNothing } from '#infrastructure/lost-log.ts'
import { readVersion } from '#infrastructure/version.ts'
import { checkBackup, keysGiven } from './backup-check.ts'
import { counted } from '#domain/list-in-words.ts'
import { outputForBytes, inWordsWhenStopped } from './command/show.ts'
import { readingLog } from './events.ts'
import { refuseOtherFiles } from './not-of-the-site.ts'
import { fillingInWords, restoreDoings, settling, countsInWords } from './settling.ts'
import { given, type CommandGroup, type Operation, type Run } from './command/operation.ts'

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
  // What cannot be read is told of the site itself.
  const held = { events: done.counts.events, vault: await readKeys(keys), unreadable: '' }
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
    await refuseHalfFilled(engines.effects)
    const lost = await lostLog(engines, config)
    // What is left of a log that ends early is worth keeping; an archive without one only looks like a backup.
    if (lost !== null && (await engines.eventStore.head()) === null) throw new Refusal('blocked', lost)
    await refuseNothing(engines)
    const file = given(args, 'file')
    const [keys = `${resolve(file)}.keys`] = keysGiven(args)
    await refuseOtherFiles(config, [
      ...(file === '-' ? [] : [{ path: resolve(file), kind: 'backup' } as const]),
      { path: resolve(keys), kind: 'keys file' },
    ])
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
      const toOutput = file === '-'
      const done = toOutput
        ? await backUpTo(engines, outputForBytes(), keys, options)
        : await backUp(engines, { file: resolve(file), keys }, options)
      const complaints = await complaintsOf(done, keys, ports)
      const found = complaints.length === 0 ? 'read again and found whole' : 'read again'
      const where = toOutput
        ? '. It was not read again, for it went to standard output'
        : ` to ${file}, ${found}`
      const words = `Backed up ${countsInWords(done.counts)}${where}. ${keepSafe}`
      return {
        ok: complaints.length === 0,
        message: [words, ...complaints].join('\n'),
        data: { ...done, ...(toOutput ? {} : { file: resolve(file) }), keysFile: keys },
        tookOutput: toOutput,
      }
    })
  },
}

const restoreSite: Operation = {
  name: 'restore',
  needs: 'engines alone',
  run: async ({ engines }, args, { signal, progress }) =>
    inWordsWhenStopped(signal, async () => {
      const file = resolve(given(args, 'file'))
      const { files, newer } =
        args['withoutKeys'] === 'true' ? { files: [], newer: null } : await keysFor(file, keysGiven(args))
      const done = await restore(engines, file, joinedKeys(files), {
        signal,
        onProgress: (each) => progress(fillingInWords(each, restoreDoings)),
        ...settling(engines),
      })
      const keysOf = files
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .at(-1)
      const lines = [
        `Restored the backup of ${done.createdAt}: ${countsInWords(done.counts)}. Everything was compared with the backup. ` +
          'Nobody is signed in.',
        ...(keysOf === undefined
          ? []
          : [`Messages erased after ${keysOf} come back unless a newer keys file is given.`]),
        ...(newer === null
          ? []
          : [
              `${newer} knows of more erased messages: restore again into an empty place with --keys ${newer}.`,
            ]),
        ...(done.lacking.length === 0
          ? []
          : [
              `PROBLEM: ${neededOriginals.inWords(done.lacking)}, in this backup already. Bring them back from an older one or ` +
                'upload them again.',
            ]),
        ...(done.unreadable === 0
          ? []
          : [
              `${counted(done.unreadable, 'message')} cannot be read: no keys file that was given has the key.`,
            ]),
      ]
      return {
        ok: done.lacking.length === 0,
        message: lines.join('\n'),
        data: { ...done, keysOf: keysOf ?? null, newerKeys: newer },
      }
    }),
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** Gives a command an archive and its keys files to read. */
const takingKeys = (command: Command, operation: Operation, run: Run): void => {
  command
    .argument('<file>', 'the archive')
    .argument('[more...]', 'further keys files')
    .option(
      '--keys <path>',
      'a keys file; may be given several times (default: FILE.keys, else the newest beside it)',
      collect,
    )
    .option('--without-keys', 'go without, although nobody will be able to read the messages', false)
    .action(
      async (file: string, more: readonly string[], { withoutKeys }: { readonly withoutKeys: boolean }) => {
        // `backup` takes the option before `backup check` sees it.
        const { keys = [] } = command.optsWithGlobals<{ readonly keys?: readonly string[] }>()
        if (more.length > 0 && keys.length === 0)
          command.error(`error: too many arguments for ${command.name()}`, { exitCode: 2 })
        if (withoutKeys && keys.length > 0)
          command.error('error: --keys and --without-keys exclude each other', { exitCode: 2 })
        await run(operation, {
          file,
          keys: JSON.stringify([...keys, ...more]),
          withoutKeys: String(withoutKeys),
        })
      },
    )
}

export const backup: CommandGroup = {
  operations: [backupSite, restoreSite, checkBackup],
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
      .option('--keys <path>', 'where the keys file goes (default: FILE.keys)', collect)
    backing.action(async (file: string, { keys = [] }: { readonly keys?: readonly string[] }) => {
      if (file === '-' && keys.length === 0)
        backing.error('error: backup - needs --keys PATH', { exitCode: 2 })
      if (keys.length > 1) backing.error('error: backup writes one keys file', { exitCode: 2 })
      await run(backupSite, { file, keys: JSON.stringify(keys) })
    })
    const restoring = program
      .command('restore')
      .description('bring a backup into an empty place, on whatever engines; no server may run')
    takingKeys(restoring, restoreSite, run)
    const checking = backing
      .command('check')
      .description(
        'restore a backup into a scratch folder, open it and compare it with the site here; a server may run meanwhile',
      )
    // Those of `backup` are no options of this one: its `--keys` says where a file goes.
    checking.configureHelp({
      ...checking.configureHelp(),
      visibleGlobalOptions: () => program.options.filter(({ hidden }) => !hidden),
    })
    takingKeys(checking, checkBackup, run)
  },
}
