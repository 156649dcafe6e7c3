import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long others may take, in ms. */
export interface Timeouts {
  /** nothing comes of a request; longer than the pause between heartbeats */
  readonly silentMs: number
  /** nothing more is taken in of an answer: a slow line's buffers are emptied in large pieces, far apart */
  readonly unreadMs: number
  /** an answer is being made and nothing of it comes: longer than 500 works take that each wait for an image elsewhere */
  readonly workMs: number
  /** until the headers are there */
  readonly headersMs: number
  /** until a whole request is there, a large image over a slow line too */
  readonly requestMs: number
  /** until the rest of a body is there that the answer did not wait for */
  readonly restMs: number
  /** how long an answer may wait for its reader, beside the time that its bytes take at the least speed */
  readonly answerMs: number
  /** the least speed of a reader, in bytes a second */
  readonly bytesPerSecond: number
  /** how often the speed of readers is looked at */
  readonly lookMs: number
}

/** The least speed is well below what a phone gets without a 3G network: it has 35 minutes for 2 MB. */
const usual: Timeouts = {
  silentMs: 30_000,
  unreadMs: 90_000,
  workMs: 60 * 60_000,
  headersMs: 30_000,
  requestMs: 30 * 60_000,
  restMs: 20_000,
  answerMs: 120_000,
  bytesPerSecond: 1_024,
  lookMs: 5_000,
}

/**
 * Connections that are held at once. Each takes some ten kilobytes, and as much again for a head that is begun and not ended:
 * more than all visitors of a site have, and less than a machine of 512 MB has room for.
 */
const mostConnections = 3_000

/** Something waits for its reader. */
export interface Waiting {
  /** bytes that were taken in before it was seen to wait */
  readonly from: number
  readonly waitedMs: number
}

/** What is remembered of a connection, whatever Node does to its timers. */
interface Held {
  /** asked for on it and not yet taken in; several at once where the client sends ahead */
  readonly answers: Map<ServerResponse, IncomingMessage>
  /** null while nothing waits for its reader */
  waiting: Waiting | null
  /** how long it has waited for an answer of which nothing came, and the bytes that were written before that */
  quiet: { readonly written: number; readonly ms: number }
  /** bytes that were taken in when it was given time to read on; null: it has not been */
  spared: number | null
}

/** Bytes that the other end, or the machine on its behalf, has taken in. */
const takenIn = (socket: Pick<Socket, 'bytesWritten' | 'writableLength'>): number =>
  socket.bytesWritten - socket.writableLength

/**
 * Reckons anew how long a connection has waited for its reader. Another request does not begin the count anew, or whoever
 * never reads could go on by sending one now and then. @returns also whether its time is over; null when nothing waits
 */
export const lookAt = (
  socket: Pick<Socket, 'bytesWritten' | 'writableLength'>,
  before: Waiting | null,
  { answerMs, bytesPerSecond, lookMs }: Pick<Timeouts, 'answerMs' | 'bytesPerSecond' | 'lookMs'>,
): (Waiting & { readonly isTooSlow: boolean }) | null => {
  if (socket.writableLength === 0) return null
  const taken = takenIn(socket)
  const { from, waitedMs } = before ?? { from: taken, waitedMs: 0 }
  const allowedMs = answerMs + ((taken - from) / bytesPerSecond) * 1_000
  return { from, waitedMs: waitedMs + lookMs, isTooSlow: waitedMs + lookMs > allowedMs }
}

/** Lets go of readers that take in what they asked for, but below the least speed. */
const letGoOfSlowReaders = (
  server: Server,
  connections: ReadonlyMap<Socket, Held>,
  timeouts: Timeouts,
): void => {
  const look = (): void => {
    for (const [socket, held] of connections) {
      const seen = lookAt(socket, held.waiting, timeouts)
      held.waiting = seen
      if (seen?.isTooSlow === true) socket.destroy()
    }
  }
  const timer = setInterval(look, timeouts.lookMs).unref()
  server.once('close', () => clearInterval(timer))
}

/** Whether an answer is being made that its reader takes in. */
const isAtWork = (socket: Socket, { answers }: Held): boolean =>
  socket.writableLength === 0 &&
  [...answers].some(([response, request]) => request.complete && !response.writableEnded)

/** Lets a silent connection go, or gives it more time: while an answer is being made, or once to take in what was sent. */
const judge = (
  socket: Socket,
  held: Held | undefined,
  { silentMs, unreadMs, workMs }: Pick<Timeouts, 'silentMs' | 'unreadMs' | 'workMs'>,
): void => {
  if (held === undefined) return void socket.destroy()
  if (isAtWork(socket, held)) {
    const { bytesWritten: written } = socket
    const ms = held.quiet.written === written ? held.quiet.ms + silentMs : silentMs
    held.quiet = { written, ms }
    if (ms > workMs) socket.destroy()
    else socket.setTimeout(silentMs)
    return
  }
  const taken = takenIn(socket)
  // Node sets the timer anew by itself between two answers, so its value does not tell whether this was granted.
  if (socket.writableLength === 0 || held.spared === taken) return void socket.destroy()
  held.spared = taken
  socket.setTimeout(unreadMs)
}

/**
 * Lets go of one connection where there are too many: of those on which nothing is asked, as where a head has only begun, the
 * one that came first; else the first that sends its request still, or does not read its answer; else the newest.
 */
const keepWithin = (most: number, connections: Map<Socket, Held>, newest: Socket): void => {
  if (connections.size <= most) return
  const firstOther = (may: (socket: Socket, held: Held) => boolean): Socket | undefined =>
    connections.entries().find(([socket, held]) => socket !== newest && may(socket, held))?.[0]
  const one =
    firstOther((_socket, { answers }) => answers.size === 0) ??
    firstOther((socket, held) => !isAtWork(socket, held)) ??
    newest
  // Known as gone before it is closed: several may come in one turn.
  connections.delete(one)
  one.destroy()
}

/**
 * Lets go of clients that hold a connection and do not use it: that never read what they asked for, or a byte now and
 * then, or whose requests drip. Who waits for an answer that is still being made is not one of them.
 * @param most connections at once
 */
export const letGoOfSlow = (server: Server, timeouts = usual, most = mostConnections): void => {
  const { silentMs, headersMs, requestMs, restMs } = timeouts
  const connections = new Map<Socket, Held>()
  server.headersTimeout = headersMs
  server.requestTimeout = requestMs
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { answers: new Map(), waiting: null, quiet: { written: 0, ms: 0 }, spared: null })
    socket.once('close', () => connections.delete(socket))
    keepWithin(most, connections, socket)
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.socket.destroyed) return
    const answers = connections.get(request.socket)?.answers
    answers?.set(response, request)
    response.once('close', () => answers?.delete(response))
    response.once('finish', () => {
      if (request.complete) return
      const timer = setTimeout(() => request.destroy(), restMs)
      timer.unref()
      for (const end of ['end', 'close']) request.once(end, () => clearTimeout(timer))
    })
  })
  server.setTimeout(silentMs, (socket) => {
    const read = socket.bytesRead
    // Where the process stood still timers come first: what has come meanwhile is read before anybody is judged.
    setImmediate(() => {
      if (socket.bytesRead === read) judge(socket, connections.get(socket), timeouts)
    })
  })
  letGoOfSlowReaders(server, connections, timeouts)
}
