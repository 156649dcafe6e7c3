import { parseLine } from '#application/kernel/archive/event-line.ts'
import { Refusal } from '#domain/refusal.ts'
import { readLines } from './lines.ts'

/**
 * The id of the first event in an export, by which the site is known that it is of.
 * @returns null where there is none, or it is damaged
 * @throws what the disk says of what it does not give
 */
export const firstEventOf = async (source: AsyncIterable<Buffer>): Promise<string | null> => {
  try {
    for await (const line of readLines(source)) {
      const first = parseLine(line, 1)
      return 'event' in first ? first.event.id : null
    }
    return null
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'blocked') return null
    throw error
  }
}
