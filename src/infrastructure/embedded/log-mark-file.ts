import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '#application/kernel/reason.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { HighWater } from '#application/kernel/ports/log-mark.ts'
import { diskInWords, mustBeFile, withPlace } from '../disk-words.ts'
import type { MarkStore } from '../log-mark.ts'

/** Which log a mark is of: positions of one mean nothing in the other. */
export type MarkedLog = 'embedded' | 'EventStoreDB'

export const markPath = (dataDir: string): string => join(dataDir, 'log.mark')

const sentence = 'How far the log of this site once came. Keep it beside atelier.db.'
/** Every mark is as long as every other: written over the last one it needs no room, and is never half of each. */
const textOf = (log: MarkedLog, position: Position | null): string =>
  `${sentence}\n${log.padEnd(12)} ${(position ?? '-').padEnd(40)}\n`
const form = /^[^\n]*\n(embedded|EventStoreDB) +(\S+) *\n$/

/** @returns what a mark's text says of a log; `unknown` for a damaged one and for one of another log */
const parsed = (text: string, log: MarkedLog): HighWater => {
  const [, of, position] = form.exec(text) ?? []
  if (of !== log || position === undefined) return 'unknown'
  return position === '-' ? 'empty' : { position: position as Position } // as the log made it
}

/**
 * What a folder's mark says; null when there is none at all.
 * @throws {EngineAway} where it cannot be read, with the place and an advice
 */
export const readMark = async (dataDir: string, log: MarkedLog): Promise<HighWater | null> => {
  const path = markPath(dataDir)
  try {
    mustBeFile(path)
    return parsed(await readFile(path, 'utf8'), log)
  } catch (error) {
    if (isMissing(error)) return null
    throw diskInWords(withPlace(error, path))
  }
}

/**
 * The mark in a small file beside the log, for its owner only. It is not synced: the log is on the disk before
 * it, and one that a power cut sets back or damages is made again from the log at the next start.
 */
export const markFile = (dataDir: string, log: MarkedLog): MarkStore => {
  const read = async (): Promise<HighWater> => (await readMark(dataDir, log)) ?? 'unknown'
  const place = async (position: Position | null): Promise<void> => {
    const bytes = Buffer.from(textOf(log, position))
    const path = markPath(dataDir)
    // Not cut to nothing first: on a full disk the old one would be gone and the new one not there.
    const file = await open(path, 'r+').catch(async (error: unknown) => {
      if (isMissing(error)) return open(path, 'w+', 0o600)
      throw error
    })
    try {
      await file.write(bytes, 0, bytes.length, 0)
      if ((await file.stat()).size > bytes.length) await file.truncate(bytes.length)
    } finally {
      await file.close()
    }
  }
  const raise = async (position: Position | null): Promise<void> => {
    const there = await read()
    if (typeof there === 'object' && (position === null || position <= there.position)) return
    if (there === 'empty' && position === null) return
    await place(position)
  }
  return { read, place, begin: raise, raise }
}
