import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'

/** Whether a request says that it carries a body; an empty one is none. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** So much of what nobody wants is still taken in, so that the sender gets to read why. */
const unwantedBytes = 64 * 1024 * 1024
const unwantedMs = 20_000
/** What comes over a line comes in pieces of a packet at least. Smaller ones count as so much: each one takes as much time. */
const packetBytes = 512
const smallPieceBytes = 64 * 1024

/**
 * Takes in what is left of a body that was refused in the middle: a sender that is still sending would otherwise find a
 * broken connection in place of the answer. Bounded in bytes, of an answer that never ends too, and in time once it is out.
 */
export const discardRest = ({ req, res }: Pick<Context, 'req' | 'res'>): void => {
  const giveUp = (): void => {
    req.destroy()
  }
  let left = unwantedBytes
  // Of a body that nobody has begun to read Node itself takes in the rest behind the answer, without an end and uncounted.
  req.resume().on('data', (chunk: Buffer) => {
    left -= chunk.length < packetBytes ? smallPieceBytes : chunk.length
    if (left < 0) giveUp()
  })
  res.once('finish', () => {
    if (req.complete || req.destroyed) return
    const timer = setTimeout(giveUp, unwantedMs)
    timer.unref()
    req.once('close', () => clearTimeout(timer))
    req.once('end', () => clearTimeout(timer))
  })
}
