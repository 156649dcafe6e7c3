import { ofAnotherEngine, type Position } from '#application/kernel/ports/event-store.ts'

/** A place in `$all`, as the server names it. */
export interface LogPlace {
  readonly commit: bigint
  readonly prepare: bigint
}

/** Every place that the server gives fits in 63 bits, which are sixteen hexadecimal digits. */
const digits = 16
const largest = 2n ** 63n - 1n

const hex = (number: bigint): string => number.toString(16).padStart(digits, '0')

/** The server's place as a position: comparing two as strings compares commit, then prepare. */
export const toPosition = (place: LogPlace): Position =>
  `${hex(place.commit)}-${hex(place.prepare)}` as Position // the one place that makes them

/** The server's place of a position. @throws {UnknownPosition} when another engine made it */
export const fromPosition = (position: Position): LogPlace => {
  const [, commit, prepare] = /^([0-9a-f]{16})-([0-9a-f]{16})$/.exec(position) ?? []
  if (commit === undefined || prepare === undefined) throw ofAnotherEngine(position)
  return { commit: BigInt(`0x${commit}`), prepare: BigInt(`0x${prepare}`) }
}

/**
 * Whether a checkpoint that the server sends names a place. A filtered subscription to a fresh log gets 2^64-1
 * before its first hit; resuming there would mean "from the end" and skip events.
 */
export const isPlace = (place: LogPlace): boolean => place.commit <= largest && place.prepare <= largest
