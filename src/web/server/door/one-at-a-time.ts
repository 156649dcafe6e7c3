import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Listener } from './ports.ts'

/** What a connection has asked for. */
interface Held {
  /** one is begun and has not yet gone out, or is the next turn's */
  isBusy: boolean
  /** the answer at work, which has no end of its own: nobody who reads it sends anything ahead */
  endless: ServerResponse | null
  /** what begins each of those that were sent ahead */
  readonly waiting: (() => void)[]
}

const connections = new WeakMap<Socket, Held>()

/**
 * What Node reads of a connection in one go holds thousands of requests, each of which weighs as much as a hundred of
 * its bytes: whoever sends more ahead is let go before they are gathered.
 */
const mostWaiting = 15

/** And so many on all connections of the process: each may have as many headers as are taken. */
const mostWaitingInAll = 1_000
let waitingInAll = 0

/** Drops what was sent ahead on a connection. */
const dropWaiting = (held: Held): void => {
  waitingInAll -= held.waiting.length
  held.waiting.length = 0
}

/**
 * Of the requests of all connections so many are begun before others have their turn: in each turn of the event loop one new
 * connection is let in, and where hundreds ask all the while whoever comes would wait for a turn of hundreds of answers for each
 * that stands before them at the door.
 */
const mostInTurn = 8

/** Of a server's connection, undocumented: what Node's parser asks for each request that it has read the head of. */
interface Parsed {
  readonly parser?: { onIncoming: () => number } | null
}
/** The parser's word for "what follows is not HTTP any more". */
const nothingFollows = 2

/**
 * Drops what was read of a connection but not parsed yet: it may be two thousand requests, and each would take some twenty
 * microseconds. Should Node keep its parser elsewhere one day, this does nothing and only that time is lost.
 */
export const readNoMore = (socket: Socket & Parsed): void => {
  if (socket.parser) socket.parser.onIncoming = () => nothingFollows
}

const letGo = (socket: Socket): void => {
  readNoMore(socket)
  socket.destroy()
}

/**
 * Lets a connection go whose answer has no end of its own once anything more comes on it, or where it has come: behind
 * that nobody would hear that its reader has left.
 */
export const nothingBehind = (response: ServerResponse): void => {
  const { socket } = response
  const held = socket === null ? undefined : connections.get(socket)
  if (socket === null || held === undefined) return
  held.endless = response
  if (held.waiting.length > 0) letGo(socket)
}

/**
 * Works on one request of each connection at a time; no browser and no proxy sends the next one before its answer. A request
 * that was sent ahead waits for the answers before it and for its connection's turn; meanwhile nothing more is read from
 * that connection. Where too many wait, on it or on all together, the connection is closed. What waits on a closed connection is
 * dropped.
 */
export const oneAtATime = (listener: Listener): Listener => {
  /** what goes on, or begins, in one of the next turns */
  const due: (() => void)[] = []
  /** in this turn */
  let begun = 0
  let takesTurns = false

  const heldOf = (socket: Socket): Held => {
    const known = connections.get(socket)
    if (known) return known
    const held: Held = { isBusy: false, endless: null, waiting: [] }
    connections.set(socket, held)
    // Node lets a connection go on by itself whenever an answer has gone out.
    socket.on('resume', () => {
      if (held.waiting.length > 0) socket.pause()
    })
    return held
  }

  /** Connections take turns, and what others have sent meanwhile is read between two. */
  const takeTurns = (): void => {
    const now = due.splice(0, mostInTurn)
    begun = now.length
    for (const each of now) each()
    takesTurns = begun > 0
    if (takesTurns) setImmediate(takeTurns)
  }

  const mindTurns = (): void => {
    if (!takesTurns) setImmediate(takeTurns)
    takesTurns = true
  }

  const goOn = (socket: Socket, held: Held): void => {
    if (!socket.writable) dropWaiting(held)
    const next = held.waiting.shift()
    held.isBusy = next !== undefined
    if (next !== undefined) waitingInAll -= 1
    next?.()
    if (held.waiting.length === 0) socket.resume()
  }

  const begin = (socket: Socket, held: Held, request: IncomingMessage, response: ServerResponse): void => {
    held.endless = null
    response.once('close', () => {
      if (held.waiting.length === 0) {
        held.isBusy = false
        return
      }
      due.push(() => goOn(socket, held))
      mindTurns()
    })
    listener(request, response)
  }

  return (request, response) => {
    const { socket } = request
    // The rest of what was read of it before it was closed.
    if (socket.destroyed) return
    const held = heldOf(socket)
    mindTurns()
    if (!held.isBusy && begun < mostInTurn) {
      begun += 1
      held.isBusy = true
      begin(socket, held, request, response)
      return
    }
    const isTooMuch = held.waiting.length === mostWaiting || waitingInAll >= mostWaitingInAll
    if (held.isBusy && (isTooMuch || held.endless?.writableEnded === false)) {
      dropWaiting(held)
      letGo(socket)
      return
    }
    if (!held.isBusy) due.push(() => goOn(socket, held))
    held.isBusy = true
    waitingInAll += 1
    held.waiting.push(() => begin(socket, held, request, response))
    socket.pause()
  }
}
