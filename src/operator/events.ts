import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type LogProgress, statsOf } from '#application/archive/export-events.ts'
import { checkExport, importEvents } from '#application/archive/import-events.ts'
import { readLines } from '#infrastructure/archive/lines.ts'
import { beginFile, fillFile, openToRead } from '#infrastructure/archive/whole-file.ts'
import { writeEvents } from '#infrastructure/archive/write-archive.ts'
import { moveReactorToHead } from '#jobs/reactor.ts'
import { counted } from './counted.ts'
import { given } from './given.ts'
import type { CommandGroup, Operation, Progress, Task } from './operation.ts'
import { outputForBytes } from './standard-output.ts'
import { inWordsWhenStopped } from './stopped.ts'

/** Progress of reading a log, whose length is only guessed. */
export const readingLog = ({ events, share }: LogProgress): Progress => ({
  what: 'Reading the log',
  done: events,
  total: share > 0 ? Math.round(events / share) : null,
  unit: 'events',
})

const onlyTheLog = 'It holds the log alone; "atelier backup" also takes pictures, accounts and keys.'

const exportLog: Operation = {
  name: 'events export',
  needs: 'engines to read',
  run: async ({ engines }, args, task) => {
    const file = given(args, 'file')
    const options = {
      signal: task.signal,
      onProgress: ({ done, share }: { readonly done: number; readonly share: number }) =>
        task.progress(readingLog({ events: done, share })),
    }
    return inWordsWhenStopped(task.signal, async () => {
      if (file === '-') {
        const events = await writeEvents(engines.eventStore, outputForBytes(), options)
        return {
          message: `Exported ${counted(events, 'event')}. ${onlyTheLog}`,
          data: { events },
          tookOutput: true,
        }
      }
      const making = await beginFile(file)
      try {
        const events = await fillFile(making.part, (out) => writeEvents(engines.eventStore, out, options))
        await making.finish()
        const message = `Exported ${counted(events, 'event')} to ${file}. ${onlyTheLog}`
        return { message, data: { file, events } }
      } finally {
        await making.discard()
      }
    })
  },
}

/** Sets standard input down in a file: it is read twice, first to see that it is whole. */
const withFile = async <T>(
  file: string,
  signal: AbortSignal,
  work: (path: string) => Promise<T>,
): Promise<T> => {
  if (file !== '-') return work(file)
  const folder = await mkdtemp(join(tmpdir(), 'atelier-import-'))
  try {
    const path = join(folder, 'events')
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal })
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const importLog: Operation = {
  name: 'events import',
  needs: 'engines alone',
  run: async ({ engines }, args, { signal, progress }: Task) =>
    inWordsWhenStopped(signal, () =>
      withFile(given(args, 'file'), signal, async (path) => {
        const { events: total } = await checkExport(readLines(await openToRead(path)), (_event, done) => {
          signal.throwIfAborted()
          progress({ what: 'Checking the file', done, total: null, unit: 'events' })
        })
        const { before, added } = await importEvents(engines.eventStore, readLines(await openToRead(path)), {
          signal,
          onProgress: (done) => progress({ what: 'Importing', done, total, unit: 'events' }),
        })
        // What follows from these events was done where they come from.
        await moveReactorToHead(engines)
        const words =
          before === 0
            ? `Imported ${counted(added, 'event')}.`
            : `${counted(before, 'event')} stood there already; imported the other ${added}.`
        return { message: `${words} ${onlyTheLog}`, data: { events: total, before, added } }
      }),
    ),
}

const stats: Operation = {
  name: 'events stats',
  needs: 'engines to read',
  run: async ({ engines }, _args, { signal, progress }) => {
    const found = await statsOf(engines.eventStore, await engines.eventStore.head(), {
      signal,
      onProgress: (read) => progress(readingLog(read)),
    })
    const width = Math.max(0, ...Object.keys(found.types).map((type) => type.length))
    const lines = [
      `${counted(found.events, 'event')} on ${counted(found.streams, 'stream')}, ${counted(found.bytes, 'byte')}`,
      ...(found.first === null
        ? []
        : [`from ${found.first} to ${found.last}; the largest has ${counted(found.largest, 'byte')}`]),
      `SHA-256 of the lines: ${found.sha256}`,
      ...Object.entries(found.types).map(([type, number]) => `  ${type.padEnd(width)}  ${number}`),
    ]
    return { message: lines.join('\n'), data: found }
  },
}

export const events: CommandGroup = {
  operations: [exportLog, importLog, stats],
  commands: (program, run) => {
    const group = program.command('events').description('The log, from any engine to any engine')
    group
      .command('export')
      .description(
        'write the whole log as compressed lines of JSON with a checksum; a server may run meanwhile',
      )
      .argument('<file>', '`-`: standard output')
      .action((file: string) => run(exportLog, { file }))
    group
      .command('import')
      .description('write an export into an empty log; one that was broken off goes on where it stopped')
      .argument('<file>', '`-`: standard input')
      .action((file: string) => run(importLog, { file }))
    group
      .command('stats')
      .description('count events, streams, types and bytes, with the checksum that an export would have')
      .action(() => run(stats))
  },
}
