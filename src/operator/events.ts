import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { followUnreadable, unreadableWithAdvice } from '#application/kernel/archive/unreadable-events.ts'
import { createExecutor } from '#application/kernel/execute.ts'
import { type LostKeys, lostKeys, surveyKeys } from '#application/kernel/archive/needed-keys.ts'
import { finishErasure } from '#application/messages/messages.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import { idsIn } from '#infrastructure/archive/keys-file.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { type LogProgress, statsOf } from '#application/kernel/archive/export-events.ts'
import { checkExport, idsOnce, importEvents } from '#application/kernel/archive/import-events.ts'
import { parseLine } from '#application/kernel/archive/event-line.ts'
import { Refusal } from '#domain/refusal.ts'
import { dropOtherFillings, fillingRecord, refuseHalfFilled } from '#infrastructure/archive/filling-record.ts'
import { temporaryFolder } from '#infrastructure/archive/left-parts.ts'
import { readLines } from '#infrastructure/archive/lines.ts'
import { siteOfExport } from '#infrastructure/archive/site-of-export.ts'
import { beginFile, fillFile, openToRead, streamInWords } from '#infrastructure/archive/whole-file.ts'
import { writeEvents } from '#infrastructure/archive/write-archive.ts'
import { lostLog, refuseNothing } from '#infrastructure/lost-log.ts'
import { moveReactorToHead } from '#jobs/runtime/reactor.ts'
import { counted } from '#domain/list-in-words.ts'
import { eventsOnTheWay, outputForBytes, inWordsWhenStopped } from './command/show.ts'
import {
  given,
  type CommandGroup,
  type EnginePorts,
  type Operation,
  type Progress,
  type Task,
} from './command/operation.ts'
import { refuseOtherFiles } from './not-of-the-site.ts'
import { forgetFormerLog, logTaken, takeLog } from './take-log.ts'

/** Progress of reading a log. */
export const readingLog = ({ events, share }: LogProgress): Progress => ({
  what: 'Reading the log',
  done: events,
  total: null,
  unit: eventsOnTheWay(share),
})

const onlyTheLog = 'It holds the log alone; "atelier backup" also takes pictures, accounts and keys.'

/** Whether two exports are of different sites, as far as both can be read. */
const isOfOther = async (one: string, other: string): Promise<boolean> => {
  const [first, second] = [
    await siteOfExport(await openToRead(one)),
    await siteOfExport(await openToRead(other)),
  ]
  return first !== null && second !== null && first !== second
}

/** How many events an export tells of at its end; 0 where there is none, or a damaged one. */
const eventsIn = async (path: string): Promise<number> => {
  try {
    let last = ''
    for await (const line of readLines(await openToRead(path))) last = line
    const parsed = parseLine(last, 1)
    return 'end' in parsed ? parsed.end.events : 0
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'blocked') return 0
    throw error
  }
}

const exportedInWords = (
  what: string,
  unreadable: string,
): { readonly ok: boolean; readonly message: string } => ({
  ok: unreadable === '',
  message: [
    `Exported ${what}. ${onlyTheLog}`,
    ...(unreadable === '' ? [] : [`PROBLEM: ${unreadable}.`]),
  ].join('\n'),
})

const exportLog: Operation = {
  name: 'events export',
  needs: 'engines to read',
  run: async ({ engines, config }, args, task) => {
    const file = given(args, 'file')
    await refuseHalfFilled(engines.effects)
    // It would take the place of an export that has more.
    const lost = await lostLog(engines, config)
    if (lost !== null) throw new Refusal('blocked', lost)
    await refuseNothing(engines)
    if (file !== '-') await refuseOtherFiles(config, [{ path: resolve(file), kind: 'export' }])
    const { see, found } = followUnreadable()
    const options = {
      signal: task.signal,
      onEvent: see,
      onProgress: ({ done, share }: { readonly done: number; readonly share: number }) =>
        task.progress(readingLog({ events: done, share })),
    }
    return inWordsWhenStopped(task.signal, async () => {
      if (file === '-') {
        const events = await writeEvents(engines.eventStore, outputForBytes(), options).catch(
          (error: unknown) => {
            throw streamInWords(error, null)
          },
        )
        return {
          ...exportedInWords(counted(events, 'event'), unreadableWithAdvice(found())),
          data: { events },
          tookOutput: true,
        }
      }
      // As it was looked at: `link/..` leads elsewhere for the system.
      const making = await beginFile(resolve(file))
      try {
        const events = await fillFile(making.part, (out) => writeEvents(engines.eventStore, out, options))
        const unreadable = unreadableWithAdvice(found())
        const former = await eventsIn(resolve(file))
        if (former > 0 && unreadable !== '')
          throw new Refusal(
            'blocked',
            `${unreadable}. The export ${file}, which may have it whole, was not replaced`,
          )
        if (former > events)
          throw new Refusal(
            'blocked',
            `The site has ${counted(events, 'event')}, the export ${file} holds ${former}: its log has lost some, or it is another ` +
              'site. It was not replaced: look with "atelier doctor", or name another file',
          )
        if (former > 0 && (await isOfOther(resolve(file), making.part)))
          throw new Refusal(
            'blocked',
            `The export ${file} is of another site. It was not replaced: name another file`,
          )
        await making.finish()
        return {
          ...exportedInWords(`${counted(events, 'event')} to ${file}`, unreadable),
          data: { file, events },
        }
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
  const folder = await temporaryFolder('import')
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
        const refuseRepeated = idsOnce()
        const { events: total, sha256 } = await checkExport(
          readLines(await openToRead(path)),
          (event, done) => {
            signal.throwIfAborted()
            refuseRepeated(event)
            progress({ what: 'Checking the file', done, total: null, unit: 'events' })
          },
        )
        const record = fillingRecord('import', engines.effects)
        // Of a restore or a move that was broken off in its log the rest is more than this file has.
        const goesOn = (await record.underWay()) !== null
        if ((await engines.eventStore.head()) !== null && !goesOn) await refuseHalfFilled(engines.effects)
        const { before, added } = await importEvents(engines.eventStore, readLines(await openToRead(path)), {
          signal,
          onBegin: async () => {
            await record.begin(sha256)
            // With another log in its place none of them can go on.
            await dropOtherFillings(engines.effects, 'import')
            await forgetFormerLog(engines)
          },
          onProgress: (done) => progress({ what: 'Importing', done, total, unit: 'events' }),
        })
        const there = `${counted(before, 'event')} stood there already`
        // A site with this log has work of its own under way.
        if (before > 0 && added === 0 && !goesOn)
          return { message: `${there}: there is nothing to import.`, data: { events: total, before, added } }
        // The log that stood here once may have been longer than this one.
        await engines.logMark.place(await engines.eventStore.head())
        // What follows from these events was done where they come from.
        await moveReactorToHead(engines)
        await record.end(sha256)
        await dropOtherFillings(engines.effects, 'import')
        const words =
          before === 0 ? `Imported ${counted(added, 'event')}.` : `${there}; imported the other ${added}.`
        return { message: `${words} ${onlyTheLog}`, data: { events: total, before, added } }
      }),
    ),
}

/** Messages whose keys are neither there nor erased. */
const lostMessages = async (
  { eventStore, keyVault }: Engines,
  signal: AbortSignal,
): Promise<LostKeys | null> => {
  const { open } = await surveyKeys(neededMessageKeys, eventStore, signal, await eventStore.head())
  return lostKeys(open, idsIn(await keyVault.takeOut()))
}

/** Counts messages that nobody can read any more as erased. @returns what is to be said of them; empty for nothing */
const acceptMessages = async (ports: EnginePorts, really: boolean, signal: AbortSignal): Promise<string> => {
  const { engines, clock } = ports
  const lost = await lostMessages(engines, signal)
  if (lost === null) return ''
  const words = `${neededMessageKeys.inWords(lost)}.`
  if (!really) return `${words} "atelier events accept --letters" counts them as erased.`
  const executor = createExecutor(engines.eventStore)
  for (const id of lost.ids) await finishErasure({ executor, clock, keyVault: engines.keyVault }, id)
  return `${words} From now on they count as erased.`
}

const acceptLog: Operation = {
  name: 'events accept',
  needs: 'engines alone',
  run: async (ports, args, { signal }) => {
    const { engines, config } = ports
    // A part of a log would be told to be whole.
    await refuseHalfFilled(engines.effects)
    const lost = await lostLog(engines, config)
    if (lost === null) await refuseNothing(engines)
    // Before the messages: with their events a log that is cut short may come to where the mark stood, and look whole.
    await (lost === null ? engines.logMark.place(await engines.eventStore.head()) : takeLog(engines))
    const messages = await acceptMessages(ports, args['letters'] === 'true', signal)
    const head = await engines.eventStore.head()
    if (lost === null) {
      const message = messages === '' ? 'The log is whole: there is nothing to accept.' : messages
      return { message, data: { head } }
    }
    return {
      message:
        `${logTaken.done} The next start builds what is served from it. ${logTaken.rest} ${messages}`.trimEnd(),
      data: { head },
    }
  },
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
  operations: [exportLog, importLog, acceptLog, stats],
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
      .command('accept')
      .description('go on with a log that has lost events, when nothing better is left; no server may run')
      .option(
        '--letters',
        'count letters whose keys are lost as erased; without it they are only told of',
        false,
      )
      .action(({ letters: erased }: { readonly letters: boolean }) =>
        run(acceptLog, { letters: String(erased) }),
      )
    group
      .command('stats')
      .description('count events, streams, types and bytes, with the checksum that an export would have')
      .action(() => run(stats))
  },
}
