#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Command, CommanderError } from 'commander'
import { systemClock } from '#infrastructure/clock.ts'
import { type Config, ConfigError, environmentWithFile, readConfig } from '#infrastructure/config/config.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { createPasswords } from '#infrastructure/passwords/passwords.ts'
import { allProjections } from '#projections/all-projections.ts'
import { startProjector } from '#projections/projector.ts'
import { composeApplication } from './compose-application.ts'
import { askRunningServer, type ControlOutcome, perform } from './control.ts'
import type { OperationName } from './operations.ts'

/** Ends of a command (interface): done, a problem found or failed, wrong usage. */
const failed = 1
const wrongUsage = 2

/** Carries an operation out on engines opened for it alone; refused in words when a server holds them. */
const alone = async (
  config: Config,
  operation: OperationName,
  args: Readonly<Record<string, string>>,
): Promise<ControlOutcome> => {
  const log = createLog('warn')
  const engines = await openEngines(config, systemClock, log)
  try {
    const { eventStore, documents } = engines
    const projector = startProjector({ eventStore, documents, projections: allProjections, log })
    await projector.ready
    const app = await composeApplication(config, engines, systemClock, projector)
    try {
      return await perform({ app, engines, passwords: createPasswords() }, operation, args)
    } finally {
      await projector.stop()
      await app.pictures.close()
      await app.safeFetch.close()
    }
  } finally {
    await engines.close()
  }
}

const run = async (
  operation: OperationName,
  args: Readonly<Record<string, string>>,
  options: { readonly json: boolean },
): Promise<void> => {
  const config = readConfig(environmentWithFile(process.env))
  const result =
    (await askRunningServer(config.dataDir, operation, args)) ?? (await alone(config, operation, args))
  if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`)
  else (result.ok ? process.stdout : process.stderr).write(`${result.message}\n`)
  process.exitCode = result.ok ? 0 : failed
}

/** A password from the terminal without showing it, or from a pipe. */
const readPassword = async (): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '')
  process.stderr.write('New password (8 to 128 characters, shown while you type): ')
  const lines = createInterface({ input: process.stdin })
  try {
    const { value } = await lines[Symbol.asyncIterator]().next()
    return typeof value === 'string' ? value : ''
  } finally {
    lines.close()
  }
}

const program = new Command('atelier')
  .description('The operator’s commands of Atelier. They work beside a running server and without one.')
  .option('--json', 'print the result as JSON', false)
  .exitOverride()
  .showHelpAfterError()

const options = (): { readonly json: boolean } => ({ json: program.opts()['json'] === true })

const samples = program.command('samples').description('The sample works, texts and posts of the first start')
samples
  .command('add')
  .description('add them')
  .action(() => run('samples add', {}, options()))
samples
  .command('remove')
  .description('remove them, as far as they are unchanged')
  .action(() => run('samples remove', {}, options()))

const admin = program.command('admin').description('The owner’s account')
admin
  .command('set-password')
  .description('set a new password, read from the terminal or a pipe; ends all sessions')
  .argument('[username]', 'the account', 'admin')
  .action(async (username: string) =>
    run('admin set-password', { username, password: await readPassword() }, options()),
  )
admin
  .command('sessions')
  .description('list the browsers that are signed in, or end them')
  .argument('[username]', 'the account', 'admin')
  .option('--end <id>', 'end this one, or `all`', '')
  .action((username: string, { end }: { readonly end: string }) =>
    run('admin sessions', { username, end }, options()),
  )

const jobs = program.command('jobs').description('Background work: pictures, the blog’s mirror, mail')
jobs
  .command('list')
  .description('what waits, runs or is parked, with the reason')
  .option('--all', 'also what is done', false)
  .action(({ all }: { readonly all: boolean }) => run('jobs list', { all: String(all) }, options()))
jobs
  .command('retry')
  .description('run a parked job again')
  .argument('<id>')
  .action((id: string) => run('jobs retry', { id }, options()))

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
