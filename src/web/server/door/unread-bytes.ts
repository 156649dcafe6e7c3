import type { ServerResponse } from 'node:http'

/** Room for some hundred images that are read slowly, and for a few versions of the longest list. */
const roomBytes = 64 * 1024 * 1024

/** Begins to hold a body for the reader of an answer, until that has gone out. */
export type HoldUnread = (response: ServerResponse, body: Buffer) => void

/**
 * Bounds what answers on their way keep in memory beside the caches: each version that somebody has begun to read is
 * held whole until its last reader has it. Past the room those are let go whose body nobody has asked for the longest.
 * @param room in bytes; the body that is asked for now is held in any case, whatever its size
 */
export const boundUnread = (room = roomBytes): HoldUnread => {
  /** by the memory that a body lies in, whole or in part; what was asked for last comes last */
  const held = new Map<ArrayBufferLike, Set<ServerResponse>>()
  let total = 0
  const forget = (memory: ArrayBufferLike): void => {
    if (held.delete(memory)) total -= memory.byteLength
  }
  return (response, { buffer: memory }) => {
    // Nobody reads it any more, and nothing would tell so a second time.
    if (response.destroyed) return
    const readers = held.get(memory) ?? new Set()
    forget(memory)
    held.set(memory, readers.add(response))
    total += memory.byteLength
    response.once('close', () => {
      readers.delete(response)
      // Others may have begun to read it anew since these were let go.
      if (readers.size === 0 && held.get(memory) === readers) forget(memory)
    })
    for (const [oldest, theirs] of held) {
      if (total <= room || oldest === memory) return
      forget(oldest)
      for (const each of theirs) each.destroy()
    }
  }
}
