import { Option } from 'commander'
import { neededOriginals } from '#application/images/lacking.ts'
import { counted, firstOf } from '#domain/list-in-words.ts'
import { moveSite } from '#infrastructure/archive/move.ts'
import type { Args, CommandGroup, Operation } from './command/operation.ts'
import { inWordsWhenStopped } from './command/show.ts'
import { type FillingWords, fillingInWords, settling, countsInWords } from './settling.ts'

const doings: FillingWords = {
  check: 'Reading the site',
  files: 'Bringing the pictures',
  events: 'Bringing the log',
  compare: 'Comparing what was brought',
}

const directionOf = (args: Args): 'servers' | 'folder' => (args['to'] === 'folder' ? 'folder' : 'servers')

/** What comes next, which no command can do. */
const next = {
  servers: (folder: string): string =>
    `The site in ${folder} is as it was. Start the servers’ processes, and do not start the folder’s any more: it would ` +
    'be a second site.',
  folder: (folder: string): string =>
    `The site on the servers is as it was. Start the server on ${folder} with the same SECRET and without the servers’ ` +
    'addresses, and do not start their processes any more: they would be a second site.',
}

const moveBetween: Operation = {
  name: 'move',
  needs: 'both sides',
  direction: directionOf,
  run: async ({ from, to, clock, config }, args, { signal, progress }) =>
    inWordsWhenStopped(signal, async () => {
      const moved = await moveSite(from, to, {
        signal,
        createdAt: clock.now().toISOString(),
        onProgress: (each) => progress(fillingInWords(each, doings)),
        ...settling(to),
      })
      const { lacking, leftOut, unreadable } = moved
      const needed = new Set(lacking.map(({ key }) => key))
      const others = leftOut.filter((key) => !needed.has(key))
      const complaints = [
        neededOriginals.inWords(lacking),
        others.length === 0
          ? ''
          : `${counted(others.length, 'file')} could not be read and stayed behind: ${firstOf(others)}`,
        unreadable === 0 ? '' : `${counted(unreadable, 'message')} cannot be read: the keys are lost`,
      ].flatMap((each) => (each === '' ? [] : [`PROBLEM, as it was before the move: ${each}.`]))
      const message = [
        `Moved ${countsInWords(moved.counts)}. Everything was compared with where it comes from. Nobody is signed in.`,
        ...complaints,
        next[directionOf(args)](config.dataDir),
      ].join('\n')
      return { ok: complaints.length === 0, message, data: moved }
    }),
}

export const move: CommandGroup = {
  operations: [moveBetween],
  commands: (program, run) => {
    program
      .command('move')
      .description(
        'bring the whole site from DATA_DIR onto the three servers that the settings name, or back; no server may run on ' +
          'either. Broken off, the same goes on; where the site comes from it stays as it was',
      )
      .addOption(
        new Option('--to <side>', 'servers: from DATA_DIR onto them; folder: from them into DATA_DIR')
          .choices(['servers', 'folder'])
          .makeOptionMandatory(),
      )
      .action(async ({ to }: { readonly to: string }) => run(moveBetween, { to }))
  },
}
