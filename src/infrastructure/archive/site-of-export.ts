import { parseLine, siteKnownBy } from '#application/kernel/archive/event-line.ts'
import { Refusal } from '#domain/refusal.ts'
import { readLines } from './lines.ts'

/**
 * By what the site is known that an export is of.
 * @returns null where there is no first event, or it is damaged
 * @throws what the disk says of what it does not give
 */
export const siteOfExport = async (source: AsyncIterable<Buffer>): Promise<string | null> => {
  try {
    for await (const line of readLines(source)) {
      const first = parseLine(line, 1)
      return 'event' in first ? siteKnownBy(first.event) : null
    }
    return null
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'blocked') return null
    throw error
  }
}
