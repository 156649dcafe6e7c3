import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import { beEndedFirst } from '#infrastructure/ended-first.ts'
import { keysFor, joinedKeys } from '#infrastructure/archive/keys-file.ts'
import { openToRead } from '#infrastructure/archive/whole-file.ts'
import { type Args, given, type Operation, type Progress } from './command/operation.ts'
import { counted } from '#domain/list-in-words.ts'
import { inWordsWhenStopped } from './command/show.ts'
import type { DrillReport, DrillStep } from './drill/drill.ts'
import { fillingInWords, restoreDoings, countsInWords } from './settling.ts'

/** `--keys` as it was given, any number of times. */
export const keysGiven = (args: Args): readonly string[] =>
  // Made by the commands that have it.
  (JSON.parse(args['keys'] ?? '[]') as readonly string[]).map((path) => resolve(path))

const steps = {
  views: 'Building the views from the log',
  pictures: 'Opening letters and pictures',
  live: 'Comparing with the site here',
} as const

const stepInWords = (step: DrillStep): Progress =>
  'done' in step
    ? fillingInWords(step, restoreDoings)
    : { what: steps[step.what], done: 0, total: null, unit: '' }

/** Of two that want the machine the site goes first, and of two that need too much memory this one ends. */
const standBack = (): void => {
  setPriority(10)
  beEndedFirst()
}

const reportInWords = ({ createdAt, counts, opened, seconds, problems, notes }: DrillReport): string =>
  [
    `Restored the backup of ${createdAt} for a look in ${seconds} s: ${countsInWords(counts)}. Every checksum is right, ` +
      `${counted(opened.messages, 'letter')} and ${counted(opened.images, 'picture file')} were opened` +
      (opened.documents === 0
        ? '.'
        : `, and ${counted(opened.documents, 'document')} of the views are as the site here shows them.`),
    ...notes.map((note) => `${note}.`),
    ...problems.map((problem) => `PROBLEM: ${problem}.`),
    ...(problems.length > 0
      ? []
      : [notes.length > 0 ? 'Nothing lacks of what was looked at.' : 'Nothing lacks.']),
  ].join('\n')

/** `atelier backup check`: the command's own process does it, whatever server runs beside. */
export const checkBackup: Operation = {
  name: 'backup check',
  needs: 'settings',
  run: async (ports, args, { signal, progress }) =>
    inWordsWhenStopped(signal, async () => {
      const file = resolve(given(args, 'file'))
      ;(await openToRead(file)).destroy()
      const keys = args['withoutKeys'] === 'true' ? null : (await keysFor(file, keysGiven(args))).files
      standBack()
      const { drill } = await import('./drill/drill.ts')
      const report = await drill(ports, file, keys && joinedKeys(keys), {
        signal,
        onStep: (step) => progress(stepInWords(step)),
      })
      return { ok: report.problems.length === 0, message: reportInWords(report), data: report }
    }),
}
