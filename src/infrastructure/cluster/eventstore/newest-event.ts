import { BACKWARDS, END, type AllStreamResolvedEvent } from '@eventstore/db-client'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { readFiltered } from './filtered-items.ts'
import { firstLook, type LogOnServer } from './log-on-server.ts'
import { fromPosition, type LogPlace, toPosition } from './positions.ts'
import { readEach } from './reading.ts'
import { placeOf, type StreamNames, toRecorded } from './stored-events.ts'

/** A backward look goes on in steps of so many, and so often. */
const nextLooks = 2_048
const mostLooks = 4

/** What a look has come to: what lies before it need not be looked at again. */
interface Found {
  readonly upTo: Position
  readonly newest: Position | null
}

interface Look {
  from: LogPlace | typeof END
  end: Position | null
  /** undefined while it was not found; null where it is known that there is none */
  newest: Position | null | undefined
}

/** Takes in one event of a backward look. */
const takeIn = (look: Look, item: AllStreamResolvedEvent, known: Found | null, names: StreamNames): void => {
  const place = placeOf(item)
  if (place === null || look.newest !== undefined) return
  look.from = place
  const position = toPosition(place)
  look.end ??= position
  // an event from before, unless the log has been replaced by an older copy meanwhile
  look.newest = position === known?.upTo ? known.newest : toRecorded(item, names)?.position
}

/** Finds where the site's newest event stands: from the end of the log backwards, at most to where it looked before. */
export const findNewest = ({ ask, names }: LogOnServer): (() => Promise<Position | null>) => {
  let found: Found | null = null
  return async () => {
    const known = found
    const { newest, end } = await ask(async (client, answerMs) => {
      const look: Look = { from: END, end: null, newest: undefined }
      for (let looks = 0; looks <= mostLooks && look.newest === undefined; looks += 1) {
        const most = looks === 0 ? firstLook : nextLooks
        let seen = 0
        const read = client.readAll({
          direction: BACKWARDS,
          fromPosition: look.from,
          maxCount: most,
          requiresLeader: true,
        })
        await readEach(read, answerMs, (item) => {
          seen += 1
          takeIn(look, item, known, names)
        })
        // this was the beginning of the log
        if (seen < most) look.newest ??= null
      }
      let { newest } = look
      if (newest === undefined) {
        // Far back or nowhere among what others wrote: the server is quicker at passing over that.
        newest = known?.newest ?? null
        const after = known === null ? null : fromPosition(known.upTo)
        await readFiltered(client, names, after, answerMs, (event) => {
          newest = event.position
          return false
        })
      }
      return { newest, end: look.end }
    })
    // Only of an answer that counts: a read that ends with its connection looks like one that has come to the beginning.
    found = end === null ? null : { upTo: end, newest }
    return newest
  }
}
