#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { systemClock } from '#infrastructure/clock.ts'
import { ConfigError, environmentWithFile, isShared, readConfig } from '#infrastructure/config/config.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { createPasswords } from '#infrastructure/passwords/passwords.ts'
import { allProjections } from '#projections/all-projections.ts'
import { startProjector } from '#projections/projector.ts'
import { composeApplication } from './compose-application.ts'
import { askRunningServer, type Outcome, refusalInWords } from './operator/control.ts'
import { groups } from './operator/groups.ts'
import type { Args, EnginePorts, Operation, SettingsPorts, SitePorts, Task } from './operator/operation.ts'
import { showOutcome, showProgress } from './operator/show.ts'
import { whileAlone } from './presence.ts'

/** Ends of a command (interface): done, a problem found or failed, wrong usage. */
const failed = 1
const wrongUsage = 2

/** The engines for as long as `work` takes. `read`: beside a server that runs. */
const withEngines = async <T>(
  ports: SettingsPorts,
  access: 'hold' | 'read',
  work: (ports: EnginePorts) => Promise<T>,
): Promise<T> => {
  const engines = await openEngines(ports.config, ports.clock, ports.log, access)
  try {
    return await work({ ...ports, engines })
  } finally {
    await engines.close()
  }
}

/** A site opened for one operation alone; refused in words when a server holds the engines. */
const withSite = <T>(ports: SettingsPorts, work: (ports: SitePorts) => Promise<T>): Promise<T> =>
  withEngines(ports, 'hold', async ({ engines }) => {
    const { config, clock, log } = ports
    const { eventStore, documents } = engines
    const projector = startProjector({ eventStore, documents, projections: allProjections, log })
    await projector.ready
    const app = await composeApplication(config, engines, clock, projector)
    try {
      return await work({ ...ports, engines, app, projector, passwords: createPasswords(), runsJobs: false })
    } finally {
      await projector.stop()
      await app.pictures.close()
      await app.safeFetch.close()
    }
  })

/** Has an operation done where it belongs: by the running server, or here with what it needs. */
const perform = async (
  operation: Operation,
  args: Args,
  ports: SettingsPorts,
  task: Task,
): Promise<Outcome> => {
  switch (operation.needs) {
    case 'settings':
      return refusalInWords(() => operation.run(ports, args, task))
    case 'engines to read':
      return refusalInWords(() => withEngines(ports, 'read', (opened) => operation.run(opened, args, task)))
    case 'engines alone':
      return refusalInWords(() =>
        withEngines(ports, 'hold', (opened) => {
          const work = () => operation.run(opened, args, task)
          return isShared(ports.config) ? whileAlone(opened.engines.leases, task.signal, work) : work()
        }),
      )
    case 'site': {
      const answer = await askRunningServer(ports.config.dataDir, { operation: operation.name, args }, task)
      return answer ?? refusalInWords(() => withSite(ports, (site) => operation.run(site, args, task)))
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
  const shown = showProgress(json)
  try {
    const task = { signal: stopping.signal, progress: shown.progress }
    const result = await perform(operation, args, ports, task)
    shown.end()
    showOutcome(result, json)
    process.exitCode = result.ok ? 0 : failed
  } catch (error) {
    shown.end()
    if (!json || error instanceof ConfigError) throw error
    const message = error instanceof Error ? error.message : String(error)
    showOutcome({ ok: false, message }, json)
    process.exitCode = failed
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

const program = new Command('atelier')
  .description('The operator’s commands of Atelier. They work beside a running server and without one.')
  .option('--json', 'print the result as JSON', false)
  .exitOverride()
  .showHelpAfterError()
for (const group of groups) group.commands(program, run)

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : wrongUsage
  } else {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${message}\n`)
    process.exitCode = error instanceof ConfigError ? wrongUsage : failed
  }
}
