import { listening } from '#infrastructure/listening.ts'
import { codeOf, reasonOf } from '#application/kernel/reason.ts'
import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { flushCompileCache } from 'node:module'
import { fullDiskAt } from '#application/kernel/ports/event-store.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { type Config, ConfigError, environmentWithFile, readConfig } from '#infrastructure/config/config.ts'
import { diskInWords } from '#infrastructure/disk-words.ts'
import { outliveTerminal } from '#infrastructure/hang-up.ts'
import type { Listener } from '#web/server/door/ports.ts'
import { createBootListener } from '#web/server/door/boot-listener.ts'
import { mayLookInside } from '#web/server/door/insiders.ts'
import { createDrain } from '#web/server/door/drain.ts'
import { serverOf } from '#web/server/door/server.ts'
import { outputLines } from '#infrastructure/log/lines.ts'
import type { Log } from '#infrastructure/log/log.ts'
import type { Telemetry } from '#infrastructure/telemetry/telemetry.ts'
import { refuseFewHandles } from './enough-handles.ts'
import type { Prepared } from './first-start.ts'
import type { Site } from './site.ts'
import type { Terminal } from './terminal.ts'
import { readVersion } from '#infrastructure/version.ts'

/** How long open requests may take to end at a stop, in ms. */
const graceMs = 10_000
/** Turns of the event loop in which a request that has come is taken in, read and answered. */
const answerTurns = 3
/** How often connections that have become idle are closed meanwhile, in ms. */
const idleEveryMs = 50

/** Says in words why the site cannot start. */
const complain = (error: unknown): void => {
  const message = reasonOf(error)
  process.stderr.write(`Atelier cannot start. ${message}\n`)
}

/** Says in words why the site cannot start, and ends. */
const giveUp = (error: unknown): never => {
  complain(error)
  process.exit(1)
}

const settingsOrEnd = (): Config => {
  try {
    return readConfig(environmentWithFile(process.env))
  } catch (error) {
    if (error instanceof ConfigError) return giveUp(error)
    throw error
  }
}

/** How what the server says is shown: to a person on a terminal, or to whatever reads its lines. */
interface Voice {
  readonly log: Log
  /** null where the output is no terminal, or is to be JSON */
  readonly terminal: Terminal | null
  /** without a terminal: what is said of a site that is open, a line each */
  readonly linesOf: (config: Config, prepared: Prepared) => readonly string[]
}

/**
 * Has what is written to a terminal wait by itself where its output is held, as by Ctrl+S. Node would wait with it, and the
 * site stand still; by a call of its own alone it does otherwise.
 */
const waitForNoTerminal = (terminal: NodeJS.WriteStream): void => {
  const handle: unknown = Reflect.get(terminal, '_handle')
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return
  if (typeof handle.setBlocking === 'function') handle.setBlocking(false)
}

const voiceOf = async ({ logLevel, logFormat }: Config, telemetry: Telemetry | null): Promise<Voice> => {
  const { createLog } = await import('#infrastructure/log/log.ts')
  const { isTTY } = process.stdout
  if (logFormat === 'json' || (logFormat === 'auto' && !isTTY)) {
    const log = createLog(logLevel, 1, telemetry)
    return { log, terminal: null, linesOf: (...opened) => [jsonLineOf(...opened)] }
  }
  const { inWords } = await import('#infrastructure/log/words.ts')
  if (!isTTY) {
    return {
      log: createLog(logLevel, { write: (line) => outputLines(1).write(`${inWords(line)}\n`) }, telemetry),
      terminal: null,
      linesOf,
    }
  }
  const { openTerminal } = await import('./terminal.ts')
  waitForNoTerminal(process.stdout)
  const terminal = openTerminal(process.stdout)
  return { log: createLog(logLevel, terminal, telemetry), terminal, linesOf }
}

/** Nothing of it is loaded unless the settings ask for it. */
const telemetryOf = async ({ telemetry, roles }: Config, version: string): Promise<Telemetry | null> => {
  if (telemetry === null) return null
  const { openTelemetry } = await import('#infrastructure/telemetry/telemetry.ts')
  return openTelemetry(telemetry, version, roles)
}

/** What is said of a site that is open where nobody watches a terminal: a line each. */
const linesOf = (config: Config, { firstPassword }: Prepared): readonly string[] => [
  config.roles.includes('web')
    ? `Atelier is open at ${config.publicUrl}`
    : `Atelier is at work: ${config.roles.join(', ')}`,
  ...(firstPassword === null
    ? []
    : [`Log in as "${config.adminUsername}" with the password  ${firstPassword}  (shown only this once)`]),
]

/**
 * The same for whatever reads the log's lines. Not by way of the log, which would keep it back at a higher level, and
 * blots out passwords.
 */
export const jsonLineOf = (config: Config, { firstPassword }: Prepared, now = new Date()): string => {
  const { roles, publicUrl, adminUsername } = config
  const opened = roles.includes('web')
    ? { url: publicUrl, msg: 'Atelier is open' }
    : { roles, msg: 'Atelier is at work' }
  const account = firstPassword === null ? {} : { username: adminUsername, password: firstPassword }
  return JSON.stringify({ level: 30, time: now.toISOString(), ...account, ...opened })
}

/**
 * The same for a person on a terminal.
 * @param isChosen the first password was changed since
 */
const blockOf = (config: Config, prepared: Prepared, isChosen: boolean): readonly string[] => {
  if (!config.roles.includes('web')) return linesOf(config, prepared)
  const { firstPassword } = prepared
  const password = isChosen ? 'the one you chose' : `${firstPassword}  (shown only this once)`
  return [
    '',
    'Atelier is open. Ctrl+C ends it.',
    '',
    `  Site       ${config.publicUrl}`,
    `  Dashboard  ${config.publicUrl}/admin`,
    ...(firstPassword === null ? [] : [`  User       ${config.adminUsername}`, `  Password   ${password}`]),
    '',
  ]
}

const listen = async (server: Server, config: Config): Promise<void> => {
  try {
    await listening(server, () => server.listen(config.port, config.host))
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE')
      giveUp(
        new Error(`Port ${config.port} is in use. Stop the other program, or set PORT to another number`),
      )
    giveUp(new Error(`HOST ${config.host} and PORT ${config.port} cannot be listened on: ${reasonOf(error)}`))
  }
}

/**
 * Ends the start on a terminal: where everything is and the first password at once, above it how far the first images
 * are, whatever becomes of looking at them.
 */
export const showOpen = async (
  { terminal, log }: { readonly terminal: Terminal; readonly log: Log },
  site: Pick<Site, 'imagesMade' | 'passwordChosen'>,
  prepared: Prepared,
  config: Config,
): Promise<void> => {
  terminal.hold(blockOf(config, prepared, false))
  // What stays last must not go on showing a password that is none any more.
  void site.passwordChosen.then(() => terminal.hold(blockOf(config, prepared, true)))
  const { images } = prepared
  if (images.length > 0) {
    const words = (made: number): string => `The first pictures are made: ${made} of ${images.length}`
    const address = config.roles.includes('web') ? ` (open already: ${config.publicUrl})` : ''
    // The site is open: what is only shown must not end it, and at a stop the engines close below it.
    await site
      .imagesMade(images, (made) => terminal.progress(words(made) + address))
      .catch((error: unknown) => log.warn({ err: error }, 'how far the first pictures are cannot be told'))
  }
  terminal.settle()
}

/**
 * Starts the server of these settings: listens at once (answering that it is alive, and 503 to the rest),
 * opens the site behind that, and ends cleanly on SIGINT and SIGTERM.
 */
export const start = async (): Promise<void> => {
  // The file that they are led to may lie on a full disk, or their terminal be gone: the site is served all the same.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
  outliveTerminal()
  const config = settingsOrEnd()
  try {
    refuseFewHandles()
  } catch (error) {
    giveUp(error)
  }
  const version = readVersion()
  const insiders = { ...config, token: config.metricsToken }
  let waits: string | null = null
  let listener: Listener = createBootListener(
    { version, publicUrl: config.publicUrl },
    (request) => mayLookInside(request, insiders),
    () => waits,
  )
  const drain = createDrain((request, response) => listener(request, response), config.publicUrl)
  const server = serverOf(drain.listener, config.publicUrl)
  await listen(server, config)

  let site: Site | null = null
  let closing = false
  let terminal: Terminal | null = null
  let telemetry: Telemetry | null = null
  const opening = new AbortController()
  const end = async (code: number): Promise<void> => {
    if (closing) return
    closing = true
    terminal?.settle()
    opening.abort(new Error('The server is stopping'))
    if (code === 0 && site !== null) await drain.run(server, config.drainMs)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // A connection whose last answer is out becomes idle only then, and would be kept open for more.
    const idle = setInterval(() => server.closeIdleConnections(), idleEveryMs)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    await site?.stopStreams()
    await closed
    clearInterval(idle)
    clearTimeout(cut)
    await site?.close()
    await telemetry?.stop()
    process.exitCode = code
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0))

  const placed = (error: unknown): unknown =>
    config.mongodbUrl === null ? fullDiskAt(config.dataDir, diskInWords(error)) : diskInWords(error)
  // Loading modules leaves nobody else a turn: whoever asks in between whether the process lives is answered.
  telemetry = await telemetryOf(config, version)
  const voice = await voiceOf(config, telemetry)
  const { log } = voice
  telemetry?.complainTo(log)
  terminal = voice.terminal
  // What stands on the terminal's last line goes before anything is said below it.
  const refuse = (error: unknown): never => {
    voice.terminal?.settle()
    return giveUp(error)
  }
  process.once('exit', () => voice.terminal?.settle())
  voice.terminal?.progress('Atelier starts …')
  for (let turn = 0; turn < answerTurns; turn += 1) await nextTurn()
  try {
    const { openSite } = await import('./site.ts')
    site = await openSite({
      config,
      clock: systemClock,
      log,
      version,
      telemetry,
      beforeSamples: () => voice.terminal?.progress('Atelier starts, and hangs the sample paintings …'),
      onWait: (words) => (waits = words),
      signal: opening.signal,
    })
  } catch (error) {
    return closing ? undefined : refuse(placed(error))
  }
  listener = site.listener
  void site.broken.then((error) => {
    voice.terminal?.settle()
    if (error instanceof ConfigError) complain(error)
    else log.fatal({ err: error }, 'the site cannot go on')
    void end(1)
  })
  const prepared = await site.ready.catch((error: unknown) => (closing ? null : refuse(placed(error))))
  if (prepared === null) return
  if (voice.terminal === null)
    for (const line of voice.linesOf(config, prepared)) outputLines(1).write(`${line}\n`)
  else await showOpen({ terminal: voice.terminal, log }, site, prepared, config)
  flushCompileCache()
}
