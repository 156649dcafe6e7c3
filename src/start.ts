import { createServer, type Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { flushCompileCache } from 'node:module'
import { systemClock } from '#infrastructure/clock.ts'
import { type Config, ConfigError, environmentWithFile, readConfig } from '#infrastructure/config/config.ts'
import type { Listener } from '#web/server/deps.ts'
import { createBootListener } from '#web/server/boot-listener.ts'
import { answerUnheard } from '#web/server/unheard.ts'
import type { Site } from './site.ts'
import { readVersion } from '#infrastructure/version.ts'

/** How long open requests may take to end at a stop (interface), in ms. */
const graceMs = 10_000
/** Turns of the event loop in which a request that has come is taken in, read and answered. */
const answerTurns = 3
/** How often connections that have become idle are closed meanwhile, in ms. */
const idleEveryMs = 50

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Says in words why the site cannot start. */
const complain = (error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error)
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

const listen = (server: Server, config: Config): Promise<void> =>
  new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        giveUp(
          new Error(`Port ${config.port} is in use. Stop the other program, or set PORT to another number`),
        )
      }
      giveUp(new Error(`HOST ${config.host} and PORT ${config.port} cannot be listened on: ${error.message}`))
    })
    server.listen(config.port, config.host, resolve)
  })

/**
 * Starts the server of these settings: listens at once (answering that it is alive, and 503 to the rest),
 * opens the site behind that, and ends cleanly on SIGINT and SIGTERM (decisions 64).
 */
export const start = async (): Promise<void> => {
  const config = settingsOrEnd()
  const version = readVersion()
  let listener: Listener = createBootListener({ version, publicUrl: config.publicUrl })
  const server = createServer((request, response) => listener(request, response))
  answerUnheard(server, config.publicUrl)
  // Behind a proxy that keeps connections open longer than we do, requests would meet a closed one.
  server.keepAliveTimeout = 65_000
  await listen(server, config)

  let site: Site | null = null
  let closing = false
  const opening = new AbortController()
  const end = async (code: number): Promise<void> => {
    if (closing) return
    closing = true
    opening.abort(new Error('The server is stopping'))
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // A connection whose last answer is out becomes idle only then, and would be kept open for more.
    const idle = setInterval(() => server.closeIdleConnections(), idleEveryMs)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    await site?.stopStreams()
    await closed
    clearInterval(idle)
    clearTimeout(cut)
    await site?.close()
    process.exitCode = code
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0))

  // Loading modules leaves nobody else a turn: whoever asks in between whether the process lives is answered.
  const { createLog } = await import('#infrastructure/log/log.ts')
  const log = createLog(config.logLevel)
  for (let turn = 0; turn < answerTurns; turn += 1) await nextTurn()
  try {
    const { openSite } = await import('./site.ts')
    site = await openSite({ config, clock: systemClock, log, version, signal: opening.signal })
  } catch (error) {
    return closing ? undefined : giveUp(error)
  }
  listener = site.listener
  void site.broken.then((error) => {
    if (error instanceof ConfigError) complain(error)
    else log.fatal({ err: error }, 'the site cannot go on')
    void end(1)
  })
  const prepared = await site.ready.catch((error: unknown) => (closing ? null : giveUp(error)))
  if (prepared === null) return
  const { firstPassword } = prepared
  if (config.roles.includes('web')) say(`Atelier is open at ${config.publicUrl}`)
  else say(`Atelier is at work: ${config.roles.join(', ')}`)
  if (firstPassword !== null) {
    say(`Log in as "${config.adminUsername}" with the password  ${firstPassword}  (shown only this once)`)
  }
  flushCompileCache()
}
