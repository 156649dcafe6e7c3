import type { ServerResponse } from 'node:http'

/** Room for some hundred images that are read slowly, and for a few versions of the longest list. */
const roomBytes = 64 * 1024 * 1024

/** What an answer keeps in memory: that of its bytes, which others may read as well, or what a file takes that is read meanwhile. */
interface Memory {
  readonly byteLength: number
}

/** Holds the memory of an answer for its reader, until that has gone out. */
export type HoldUnread = (response: ServerResponse, memory: Memory) => void

/** What a file takes that is sent while it is read, whatever its size: each stream on its way fills some 64 kB. */
export const ofFile = (): Memory => ({ byteLength: 256 * 1024 })

/**
 * Bounds what answers on their way keep in memory beside the caches: each version that somebody has begun to read is
 * held whole until its last reader has it. Past the room the address that holds most is let go of, its oldest first:
 * whoever asks for much and reads none of it cuts nobody else off.
 * @param addressOf under what a reader is counted; asked only past the room
 * @param room in bytes; the body that is asked for now is held in any case, whatever its size
 */
export const boundUnread = (
  addressOf: (response: ServerResponse) => string,
  room = roomBytes,
): HoldUnread => {
  /** by the memory that a body lies in, whole or in part; what was asked for last comes last */
  const held = new Map<Memory, Set<ServerResponse>>()
  const addresses = new WeakMap<ServerResponse, string>()
  let total = 0
  const forget = (memory: Memory): void => {
    if (held.delete(memory)) total -= memory.byteLength
  }
  const knownAddressOf = (response: ServerResponse): string => {
    const address = addresses.get(response) ?? addressOf(response)
    addresses.set(response, address)
    return address
  }

  /** @returns false when nothing is held but what is asked for now */
  const letGoOfOldest = (asked: Memory): boolean => {
    const sums = new Map<string, number>()
    let most = { address: '', bytes: -1 }
    for (const [memory, readers] of held) {
      if (memory === asked) continue
      for (const address of new Set([...readers].map(knownAddressOf))) {
        const bytes = (sums.get(address) ?? 0) + memory.byteLength
        sums.set(address, bytes)
        if (bytes > most.bytes) most = { address, bytes }
      }
    }
    for (const [memory, readers] of held) {
      if (memory === asked) continue
      const theirs = [...readers].filter((each) => knownAddressOf(each) === most.address)
      if (theirs.length === 0) continue
      for (const each of theirs) readers.delete(each)
      if (readers.size === 0) forget(memory)
      for (const each of theirs) each.destroy()
      return true
    }
    return false
  }

  return (response, memory) => {
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
    while (total > room && letGoOfOldest(memory));
  }
}
