import { chmodSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { refusedBy } from '#application/refused.ts'
import type { Log } from '#infrastructure/log/log.ts'
import type { OperationName, OperatorPorts } from './operations.ts'

/** A socket's path may hold no more than this on every system (sun_path, with its final zero). */
const longestSocketPath = 100

const order = z.strictObject({ operation: z.string(), args: z.record(z.string(), z.string()) })
const outcome = z.strictObject({ ok: z.boolean(), message: z.string(), data: z.unknown().optional() })
export type ControlOutcome = z.output<typeof outcome>

const socketOf = (dataDir: string): string => join(dataDir, 'control.sock')

const carryOut = async (ports: OperatorPorts, body: string, log: Log): Promise<ControlOutcome> => {
  // Loaded with the first command: it is most of the application, which few servers are ever asked for.
  const { isOperation } = await import('./operations.ts')
  const parsed = order.safeParse(JSON.parse(body))
  if (!parsed.success || !isOperation(parsed.data.operation)) {
    return { ok: false, message: 'The running server does not know this command. Is it of another version?' }
  }
  log.info({ operation: parsed.data.operation }, 'an operator’s command')
  return perform(ports, parsed.data.operation, parsed.data.args)
}

/** Carries an operation out and gives its result, or its refusal in words. @throws what is no refusal */
export const perform = async (
  ports: OperatorPorts,
  operation: OperationName,
  args: Readonly<Record<string, string>>,
): Promise<ControlOutcome> => {
  const { operations } = await import('./operations.ts')
  try {
    return { ok: true, ...(await operations[operation](ports, args)) }
  } catch (error) {
    const refused = refusedBy(error)
    if (refused === null) throw error
    return { ok: false, message: refused.message }
  }
}

/**
 * Lets the operator's commands reach the server that runs on a data folder: a socket in it, for its owner
 * only (decisions 77). Null when the folder's path is too long for a socket.
 */
export const startControl = async (
  dataDir: string,
  ports: OperatorPorts,
  log: Log,
): Promise<Server | null> => {
  const path = socketOf(dataDir)
  if (Buffer.byteLength(path) > longestSocketPath) {
    log.warn(
      {},
      'the path of DATA_DIR is too long for the commands’ socket: stop the server before using atelier',
    )
    return null
  }
  const server = createServer((incoming, answer) => {
    const send = (status: number, result: ControlOutcome): void => {
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    }
    text(incoming)
      .then((body) => carryOut(ports, body, log))
      .then(
        (result) => send(200, result),
        (error: unknown) => {
          log.error({ err: error }, 'an operator’s command failed')
          send(500, { ok: false, message: error instanceof Error ? error.message : String(error) })
        },
      )
  })
  // Left by a killed server; the folder's lock says that no other one runs on it.
  rmSync(path, { force: true })
  const before = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    chmodSync(path, 0o600)
  } finally {
    process.umask(before)
  }
  return server
}

/**
 * Asks the server that runs on a data folder. Null when none runs.
 * @throws when it breaks off
 */
export const askRunningServer = (
  dataDir: string,
  operation: OperationName,
  args: Readonly<Record<string, string>>,
): Promise<ControlOutcome | null> =>
  new Promise((resolve, reject) => {
    const asking = request({ socketPath: socketOf(dataDir), method: 'POST', path: '/' }, (answer) => {
      text(answer)
        .then((body) => resolve(outcome.parse(JSON.parse(body))))
        .catch(reject)
    })
    asking.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'EINVAL') resolve(null)
      else reject(error)
    })
    asking.end(JSON.stringify({ operation, args }))
  })
