import { listening } from '#infrastructure/listening.ts'
import { afterTurns } from '#application/kernel/after-turns.ts'
import { asError, codeOf, reasonOf } from '#application/kernel/reason.ts'
import { chmodSync, rmSync } from 'node:fs'
import type { ClientRequest, IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer, request } from '#application/kernel/node-http.ts'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Log } from '#infrastructure/log/log.ts'
import { carryOut, type ServerPorts } from './carry-out.ts'
import type { Task } from './operation.ts'
import { type OperatorOrder, asked, type OperatorOutcome, outcome, progress } from './order.ts'

/** A socket's path may hold no more than this on every system (sun_path, with its final zero). */
const longestSocketPath = 100
/** How often progress is told over the socket at most, in ms. */
const progressEveryMs = 100
/** A server that runs takes an order at once, however long it is at it; one that stands still does not. */
const takenUpWithinMs = 30_000

/** What comes back: a line of JSON for each progress, the outcome in the last. */
const line = z.union([z.strictObject({ progress }), z.strictObject({ outcome })])

const socketOf = (dataDir: string): string => join(dataDir, 'control.sock')

const carryOutText = (ports: ServerPorts, body: string, task: Task): Promise<OperatorOutcome> =>
  carryOut(ports, asked.parse(JSON.parse(body)), task)

/**
 * That its sender hung up stands behind the order itself, and is read a moment later: of a server that stood still, both
 * come at once.
 */
const endsArrived = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
}

/** Sends progress as it comes, thinned out, until the outcome. */
const answerOver = (
  answer: ServerResponse,
): { task: Task; end: (status: number, result: OperatorOutcome) => void } => {
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
      .then(async (body) => {
        await endsArrived()
        if (task.signal.aborted) return
        end(200, await carryOutText(ports, body, task))
      })
      .catch((error: unknown) => {
        if (task.signal.aborted || !incoming.complete) return
        log.error({ err: error }, 'an operator’s command failed')
        end(500, { ok: false, message: reasonOf(error) })
      })
  })
  const before = process.umask(0o177)
  try {
    // Left by a killed server; the folder's lock says that no other one runs on it.
    rmSync(path, { force: true })
    await listening(server, () => server.listen(path))
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

/** As Node says it of a socket that is not there, that nobody listens at, or whose path is too long. */
const nobodyThere: readonly (string | null)[] = ['ENOENT', 'ECONNREFUSED', 'EINVAL']

/**
 * Knocks at the server that runs on a data folder. Its head alone is sent: what stands in the socket of a server that
 * stands still is done when that goes on, whoever has left meanwhile. `continue` tells that it is awake, and waits for
 * the order.
 */
const knock = (dataDir: string, signal: AbortSignal): ClientRequest => {
  const headers = { expect: '100-continue' }
  const knocking = request({ socketPath: socketOf(dataDir), method: 'POST', path: '/', headers, signal })
  knocking.flushHeaders()
  return knocking
}

/** As Node says it of one that let the time pass, or broke off. Whoever may not ask knows nothing of it. */
const silence: readonly (string | null)[] = ['ABORT_ERR', 'ECONNRESET']

/** Whether the server that runs on a data folder answers within so many ms; null when none runs, or it cannot be asked. */
export const doesServerAnswer = async (dataDir: string, ms: number): Promise<boolean | null> => {
  const tooLate = new AbortController()
  const keepTime = afterTurns(ms, () => tooLate.abort())
  const knocking = knock(dataDir, tooLate.signal)
  const answered = Promise.withResolvers<boolean | null>()
  knocking
    .once('continue', () => answered.resolve(true))
    .once('error', (error) => answered.resolve(silence.includes(codeOf(error)) ? false : null))
  try {
    return await answered.promise
  } finally {
    keepTime.end()
    knocking.destroy()
  }
}

/** How far an order came, in words, when whoever gave it does not wait any longer. */
const leftInWords = (isTakenUp: boolean, isHeardOf: boolean): string => {
  if (!isTakenUp) return ' The server that runs here has not answered, and nothing was done'
  return isHeardOf
    ? ''
    : ' The server that runs here was told of it and said nothing yet: see what was done before you ask again'
}

/**
 * Asks the server that runs on a data folder and hears its progress. Null when none runs.
 * @throws the signal's reason when aborted, with how far it came; and in words when the server stands still or breaks off
 */
export const askRunningServer = (
  dataDir: string,
  order: OperatorOrder,
  task: Task,
  withinMs = takenUpWithinMs,
): Promise<OperatorOutcome | null> =>
  new Promise((resolve, reject) => {
    const { signal } = task
    const late = new AbortController()
    const brokenOff = 'The server stopped before the command was done. Ask it again once it runs'
    let isTakenUp = false
    let isHeardOf = false
    const waiting = setTimeout(() => late.abort(), withinMs)
    const fail = (error: unknown): void => {
      clearTimeout(waiting)
      if (signal.aborted) {
        const reason = reasonOf(signal.reason)
        reject(new Error(reason + leftInWords(isTakenUp, isHeardOf), { cause: error }))
      } else if (late.signal.aborted) {
        const seconds = Math.round(withinMs / 1_000)
        const words = `The server that runs here has not answered for ${seconds} s, and nothing was done: see whether it stands still`
        reject(new Error(words, { cause: error }))
      }
      // As Node says it of one that was killed.
      else if (['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? ''))
        reject(new Error(brokenOff, { cause: error }))
      else reject(asError(error))
    }
    const hear = async (answer: IncomingMessage): Promise<void> => {
      for await (const each of createInterface({ input: answer, crlfDelay: Infinity })) {
        // More may have come at once with what it was stopped at.
        signal.throwIfAborted()
        const message = line.parse(JSON.parse(each))
        isHeardOf = true
        if ('progress' in message) task.progress(message.progress)
        else resolve(message.outcome)
      }
      throw new Error(brokenOff)
    }
    const asking = knock(dataDir, AbortSignal.any([signal, late.signal]))
    asking
      .once('continue', () => {
        clearTimeout(waiting)
        isTakenUp = true
        asking.end(JSON.stringify(order))
      })
      .once('response', (answer) => {
        answer.once('error', fail)
        hear(answer).catch(fail)
      })
      .once('error', (error) => {
        if (!nobodyThere.includes(codeOf(error))) return fail(error)
        clearTimeout(waiting)
        resolve(null)
      })
  })
