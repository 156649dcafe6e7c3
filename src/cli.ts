#!/usr/bin/env node
import { reasonOf } from '#application/kernel/reason.ts'
import { Command, CommanderError } from 'commander'
import { fullDiskAt } from '#application/kernel/ports/event-store.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { ConfigError, environmentWithFile, isShared, readConfig } from '#infrastructure/config/config.ts'
import { diskInWords } from '#infrastructure/disk-words.ts'
import { outliveTerminal } from '#infrastructure/hang-up.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { refusalInWords } from '#operator/command/carry-out.ts'
import { askRunningServer } from '#operator/command/control.ts'
import { groups } from '#operator/groups.ts'
import type {
  Args,
  EnginePorts,
  Operation,
  ProjectorPorts,
  SettingsPorts,
  SitePorts,
  Task,
} from '#operator/command/operation.ts'
import type { OperatorOutcome } from '#operator/command/order.ts'
import { showOutcome, showProgress } from '#operator/command/show.ts'
import { unlessServerKeepsIt } from '#operator/command/stopping.ts'
import {
  asOnlyFolder,
  withEngines,
  withLogAsItIs,
  withBuilder,
  withSharedSite,
  withSite,
  withSiteEngines,
  withWholeSite,
} from '#composition/operator-site.ts'
import { withBothSides } from '#composition/both-sides.ts'
import { whileAlone } from '#composition/presence.ts'
import { withSharedProjector } from '#composition/shared-builder.ts'

// What a command makes is for its owner only, as what the server makes.
process.umask(0o077)

/** Ends of a command: done, a problem found or failed, wrong usage. */
const failed = 1
const wrongUsage = 2
/**
 * What keeps the process so long after all was done and said is nothing to wait for, in ms: MongoDB's driver never lets go of
 * something else that talks without end.
 */
const usualLingerMs = 1_000
let lingerMs = usualLingerMs

// What is told may be led to a file on a full disk, or to who reads no more of it: the work is done all the same.
process.stderr.on('error', () => undefined)
/** Bytes went there, and arrived: an archive has closed it behind itself. */
let isAllTold = false
process.stdout.on('error', () => {
  if (!isAllTold) process.exitCode ||= failed
})

/** Has an operation done where it belongs: by the running server, or here with what it needs. */
const perform = async (
  operation: Operation,
  args: Args,
  ports: SettingsPorts,
  task: Task,
): Promise<OperatorOutcome> => {
  const shared = isShared(ports.config)
  const asked = { operation: operation.name, args }
  // A server that runs on the folder beside is of another site when the settings name the three servers.
  const byFolder = (): Promise<OperatorOutcome | null> =>
    shared ? Promise.resolve(null) : askRunningServer(ports.config.dataDir, asked, task)
  switch (operation.needs) {
    case 'settings':
      return refusalInWords(() => operation.run(ports, args, task))
    case 'engines':
      return (
        (await byFolder()) ??
        refusalInWords(() => withSiteEngines(ports, (opened) => operation.run(opened, args, task)))
      )
    case 'engines to read':
      return refusalInWords(() => withEngines(ports, 'read', (opened) => operation.run(opened, args, task)))
    case 'engines alone':
      return refusalInWords(() =>
        withEngines(ports, 'hold', (opened) => {
          const work = (signal: AbortSignal) => operation.run(opened, args, { ...task, signal })
          // With a server the lock of a folder is not all: another process may stand on both, and this be another folder beside it.
          return ports.config.mongodbUrl === null
            ? asOnlyFolder(opened, () => work(task.signal))
            : whileAlone(opened.engines.leases, task.signal, work)
        }),
      )
    case 'both sides':
      return refusalInWords(() =>
        withBothSides(ports, operation.direction(args), task, (sides, signal) =>
          operation.run(sides, args, { ...task, signal }),
        ),
      )
    case 'site':
      return (
        (await byFolder()) ??
        refusalInWords(() =>
          withWholeSite(ports, (opened) => {
            const work = (site: SitePorts) => operation.run(site, args, task)
            return shared ? withSharedSite(opened, work) : withSite(opened, task, work)
          }),
        )
      )
    case 'projector': {
      const answer = await byFolder()
      if (answer !== null) return answer
      const build = (opened: EnginePorts, signal = task.signal): Promise<OperatorOutcome> => {
        const within = { ...task, signal }
        const work = (building: ProjectorPorts['build']) =>
          refusalInWords(() => operation.run({ ...opened, build: building }, args, within))
        return shared ? withSharedProjector(opened, within, work) : withBuilder(opened, work, signal)
      }
      return operation.takesOlderLog?.(args) === true
        ? withLogAsItIs(ports, task, build)
        : withWholeSite(ports, (opened) => build(opened))
    }
  }
}

const run = async (operation: Operation, args: Args = {}): Promise<void> => {
  const json = program.opts()['json'] === true
  const config = readConfig(environmentWithFile(process.env))
  const ports = { config, clock: systemClock, log: createLog('warn', 2) }
  const stopping = new AbortController()
  const stop = (): void => {
    // A second Ctrl-C does not wait until everything is tidy.
    if (stopping.signal.aborted) process.exit(failed)
    stopping.abort(new Error('Stopped.'))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  outliveTerminal()
  const shown = showProgress(json)
  try {
    const task = { signal: stopping.signal, progress: shown.progress }
    const result = await unlessServerKeepsIt(config, stopping.signal, perform(operation, args, ports, task))
    shown.end()
    isAllTold = result.tookOutput === true && process.stdout.writableLength === 0
    showOutcome(result, json)
    // What could not be told meanwhile is a failure as well.
    if (!result.ok) process.exitCode = failed
  } catch (thrown) {
    shown.end()
    const inWords = diskInWords(thrown)
    const error = config.mongodbUrl === null ? fullDiskAt(config.dataDir, inWords) : inWords
    if (!json || error instanceof ConfigError) throw error
    const message = reasonOf(error)
    showOutcome({ ok: false, message }, json)
    process.exitCode = failed
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    lingerMs = stopping.signal.aborted ? 0 : usualLingerMs
  }
}

const program = new Command('atelier')
  .description('The operator’s commands of Atelier. They work beside a running server and without one.')
  .option('--json', 'print the result as JSON', false)
  .exitOverride()
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true })
for (const group of groups) group.commands(program, run)

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : wrongUsage
  } else {
    const message = reasonOf(error)
    process.stderr.write(`${message}\n`)
    process.exitCode = error instanceof ConfigError ? wrongUsage : failed
  }
}
// Behind all that was written, however slowly it is read.
process.stdout.write('', () =>
  process.stderr.write('', () => setTimeout(() => process.exit(), lingerMs).unref()),
)
