import { asError, codeOf, reasonOf } from '#application/kernel/reason.ts'
import { chmodSync, rmSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer, request } from '#application/kernel/node-http.ts'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Log } from '#infrastructure/log/log.ts'
import { carryOut, type ServerPorts } from './carry-out.ts'
import type { Task } from './operation.ts'
import { type Order, asked, type Outcome, outcome, progress } from './order.ts'

/** A socket's path may hold no more than this on every system (sun_path, with its final zero). */
const longestSocketPath = 100
/** How often progress is told over the socket at most, in ms. */
const progressEveryMs = 100

/** What comes back: a line of JSON for each progress, the outcome in the last. */
const line = z.union([z.strictObject({ progress }), z.strictObject({ outcome })])

const socketOf = (dataDir: string): string => join(dataDir, 'control.sock')

const carryOutText = (ports: ServerPorts, body: string, task: Task): Promise<Outcome> =>
  carryOut(ports, asked.parse(JSON.parse(body)), task)

/** Sends progress as it comes, thinned out, until the outcome. */
const answerOver = (
  answer: ServerResponse,
): { task: Task; end: (status: number, result: Outcome) => void } => {
  const gone = new AbortController()
  answer.once('close', () => gone.abort())
  let sentAt = 0
  const head = (status: number): void => {
    if (!answer.headersSent) answer.writeHead(status, { 'content-type': 'application/x-ndjson' })
  }
  return {
    task: {
      signal: gone.signal,
      progress: (each) => {
        const now = performance.now()
        if (now - sentAt < progressEveryMs || answer.destroyed) return
        sentAt = now
        head(200)
        answer.write(`${JSON.stringify({ progress: each })}\n`)
      },
    },
    end: (status, result) => {
      head(status)
      answer.end(`${JSON.stringify({ outcome: result })}\n`)
    },
  }
}

/**
 * Lets the operator's commands reach the server that runs on a data folder: a socket in it, for its owner
 * only. Whoever hangs up ends what was asked for. Null when the folder's path is too long for a
 * socket, or none can be made there: the site is served all the same.
 */
export const startControl = async (ports: ServerPorts): Promise<Server | null> => {
  const log: Log = ports.log
  const path = socketOf(ports.config.dataDir)
  if (Buffer.byteLength(path) > longestSocketPath) {
    log.warn(
      {},
      'the path of DATA_DIR is too long for the commands’ socket: stop the server before using atelier',
    )
    return null
  }
  const server = createServer((incoming, answer) => {
    const { task, end } = answerOver(answer)
    text(incoming)
      .then((body) => carryOutText(ports, body, task))
      .then(
        (result) => end(200, result),
        (error: unknown) => {
          if (task.signal.aborted) return
          log.error({ err: error }, 'an operator’s command failed')
          end(500, { ok: false, message: reasonOf(error) })
        },
      )
  })
  const before = process.umask(0o177)
  try {
    // Left by a killed server; the folder's lock says that no other one runs on it.
    rmSync(path, { force: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    chmodSync(path, 0o600)
  } catch (error) {
    server.close()
    log.warn(
      { err: error },
      'the commands’ socket cannot be made in DATA_DIR: stop the server before using atelier, or mend what is ' +
        'said here and start it again',
    )
    return null
  } finally {
    process.umask(before)
  }
  return server
}

/**
 * Asks the server that runs on a data folder and hears its progress. Null when none runs.
 * @throws the signal's reason when aborted, and in words when the server breaks off
 */
export const askRunningServer = (dataDir: string, order: Order, task: Task): Promise<Outcome | null> =>
  new Promise((resolve, reject) => {
    const { signal } = task
    const options = { socketPath: socketOf(dataDir), method: 'POST', path: '/', signal }
    const brokenOff = 'The server stopped before the command was done. Ask it again once it runs'
    const fail = (error: unknown): void => {
      if (signal.aborted) reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'))
      // As Node says it of one that was killed.
      else if (codeOf(error) === 'ECONNRESET') reject(new Error(brokenOff, { cause: error }))
      else reject(asError(error))
    }
    const hear = async (answer: IncomingMessage): Promise<void> => {
      for await (const each of createInterface({ input: answer, crlfDelay: Infinity })) {
        // More may have come at once with what it was stopped at.
        signal.throwIfAborted()
        const message = line.parse(JSON.parse(each))
        if ('progress' in message) task.progress(message.progress)
        else resolve(message.outcome)
      }
      throw new Error(brokenOff)
    }
    const asking = request(options, (answer) => {
      answer.once('error', fail)
      hear(answer).catch(fail)
    })
    asking.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'EINVAL') resolve(null)
      else fail(error)
    })
    asking.end(JSON.stringify(order))
  })
