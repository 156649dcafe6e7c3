import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Listener } from './deps.ts'

/** What a connection has asked for. */
interface Held {
  /** begun and not yet gone out */
  open: number
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[]
  /** the next turn begins more of them */
  isDue: boolean
}

/** More than any browser sends ahead on one connection. */
const mostOpen = 16
/**
 * What Node reads of a connection in one go holds thousands of requests, each of which weighs as much as a hundred of
 * its bytes: whoever sends so many ahead is let go before they are gathered.
 */
const mostWaiting = 48

/** Of a server's connection, undocumented: what Node's parser asks for each request that it has read the head of. */
interface Parsed {
  readonly parser?: { onIncoming: () => number } | null
}
/** The parser's word for "what follows is not HTTP any more". */
const nothingFollows = 2

/**
 * Closes a connection, and has nothing made of what was read of it already: two thousand requests, each some twenty
 * microseconds of everybody's time. Where Node keeps its parser elsewhere one day, only that time is lost.
 */
const letGo = (socket: Socket & Parsed): void => {
  if (socket.parser) socket.parser.onIncoming = () => nothingFollows
  socket.destroy()
}

/**
 * Takes up a few requests of each connection at once. The others that were sent ahead wait, meanwhile nothing more is
 * read of it, and what waits on a connection that was closed is not taken up at all. One on which too many wait is closed.
 */
export const fewAtOnce = (listener: Listener, most = mostOpen): Listener => {
  const connections = new WeakMap<Socket, Held>()

  const heldOf = (socket: Socket): Held => {
    const known = connections.get(socket)
    if (known) return known
    const held: Held = { open: 0, waiting: [], isDue: false }
    connections.set(socket, held)
    // Node lets a connection go on by itself whenever an answer has gone out.
    socket.on('resume', () => {
      if (held.waiting.length > 0) socket.pause()
    })
    return held
  }

  const goOn = (socket: Socket, held: Held): void => {
    held.isDue = false
    if (!socket.writable) {
      held.waiting.length = 0
      return
    }
    while (held.open < most) {
      const next = held.waiting.shift()
      if (next === undefined) break
      begin(socket, held, ...next)
    }
    if (held.waiting.length === 0) socket.resume()
  }

  const begin = (socket: Socket, held: Held, request: IncomingMessage, response: ServerResponse): void => {
    held.open += 1
    response.once('close', () => {
      held.open -= 1
      if (held.waiting.length === 0 || held.isDue) return
      held.isDue = true
      // Others have their turn in between.
      setImmediate(goOn, socket, held)
    })
    listener(request, response)
  }

  return (request, response) => {
    const { socket } = request
    // The rest of what was read of it before it was closed.
    if (socket.destroyed) return
    const held = heldOf(socket)
    if (held.open < most && held.waiting.length === 0) {
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
