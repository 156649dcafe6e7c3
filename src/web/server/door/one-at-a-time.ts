import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Listener } from './ports.ts'

/** What a connection has asked for. */
interface Held {
  /** one is begun and has not yet gone out, or is the next turn's */
  isBusy: boolean
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[]
}

/**
 * What Node reads of a connection in one go holds thousands of requests, each of which weighs as much as a hundred of
 * its bytes: whoever sends more ahead is let go before they are gathered.
 */
const mostWaiting = 15
/** Of all that were sent ahead on whatever connections so many are begun before others have their turn. */
const mostInTurn = 8

/** Of a server's connection, undocumented: what Node's parser asks for each request that it has read the head of. */
interface Parsed {
  readonly parser?: { onIncoming: () => number } | null
}
/** The parser's word for "what follows is not HTTP any more". */
const nothingFollows = 2

/**
 * Has nothing made of what was read of a connection already: two thousand requests, each some twenty microseconds of
 * everybody's time. Where Node keeps its parser elsewhere one day, only that time is lost.
 */
export const readNoMore = (socket: Socket & Parsed): void => {
  if (socket.parser) socket.parser.onIncoming = () => nothingFollows
}

const letGo = (socket: Socket): void => {
  readNoMore(socket)
  socket.destroy()
}

/**
 * Takes up one request of each connection at once: no browser and no proxy sends another ahead. What was sent ahead waits
 * for the answers before it and for its turn, meanwhile nothing more is read of it, and what waits on a connection that was
 * closed is not taken up at all. One on which too many wait is closed.
 */
export const oneAtATime = (listener: Listener): Listener => {
  const connections = new WeakMap<Socket, Held>()
  const due: (readonly [Socket, Held])[] = []
  let takesTurns = false

  const heldOf = (socket: Socket): Held => {
    const known = connections.get(socket)
    if (known) return known
    const held: Held = { isBusy: false, waiting: [] }
    connections.set(socket, held)
    // Node lets a connection go on by itself whenever an answer has gone out.
    socket.on('resume', () => {
      if (held.waiting.length > 0) socket.pause()
    })
    return held
  }

  const goOn = (socket: Socket, held: Held): void => {
    held.isBusy = false
    if (!socket.writable) held.waiting.length = 0
    const next = held.waiting.shift()
    if (next !== undefined) begin(socket, held, ...next)
    if (held.waiting.length === 0) socket.resume()
  }

  /** Connections take turns, and what others have sent meanwhile is read between two. */
  const takeTurns = (): void => {
    for (const [socket, held] of due.splice(0, mostInTurn)) goOn(socket, held)
    takesTurns = due.length > 0
    if (takesTurns) setImmediate(takeTurns)
  }

  const begin = (socket: Socket, held: Held, request: IncomingMessage, response: ServerResponse): void => {
    held.isBusy = true
    response.once('close', () => {
      if (held.waiting.length === 0) {
        held.isBusy = false
        return
      }
      due.push([socket, held])
      if (!takesTurns) setImmediate(takeTurns)
      takesTurns = true
    })
    listener(request, response)
  }

  return (request, response) => {
    const { socket } = request
    // The rest of what was read of it before it was closed.
    if (socket.destroyed) return
    const held = heldOf(socket)
    if (!held.isBusy) {
      begin(socket, held, request, response)
      return
    }
    if (held.waiting.length === mostWaiting) {
      held.waiting.length = 0
      letGo(socket)
      return
    }
    held.waiting.push([request, response])
    socket.pause()
  }
}
