import { decodeEvent } from '#application/codec.ts'
import type { EventStore, Position, RecordedEvent } from '#application/ports/event-store.ts'
import { imageStream } from '#domain/images/image.ts'

/** A picture as the log tells of it. Times are ISO 8601. */
export interface SurveyedPicture {
  readonly uploadedAt: string
  /** null while it is kept */
  readonly discardedAt: string | null
  /** when its variants were recorded last, null before */
  readonly processedAt: string | null
  /** how many events it has had, as its decider counts them */
  readonly version: number
}

export interface Survey {
  readonly pictures: ReadonlyMap<string, SurveyedPicture>
  /** hashes that anything in the log names; what it can bring back is named there too */
  readonly used: ReadonlySet<string>
}

const pageOf = 500
const prefix = imageStream('')

/** Folds one event of a picture's stream. */
const pictureAfter = (
  before: SurveyedPicture | undefined,
  recorded: RecordedEvent,
): SurveyedPicture | undefined => {
  const event = decodeEvent(recorded)
  const version = (before?.version ?? 0) + 1
  const at = recorded.occurredAt
  switch (event?.type) {
    case 'ImageUploaded':
      return { uploadedAt: at, discardedAt: null, processedAt: before?.processedAt ?? null, version }
    case 'ImageProcessed':
      return before && { ...before, processedAt: at, version }
    case 'ImageDiscarded':
      return before && { ...before, discardedAt: at, processedAt: null, version }
    default:
      return before && { ...before, version }
  }
}

/**
 * Reads the whole log for its pictures and for what names them. Whatever a stream ever named counts as used,
 * for it can be restored or undone: a replaced picture, a deleted work's, one of a post that is gone from the
 * blog. Only samples that were removed are gone for good (decisions 107). Read from the log and not from the
 * read models, since files are removed by it.
 * @throws {CodecError} for a picture's event that cannot be read: then nothing is known for sure
 */
export const surveyPictures = async (eventStore: EventStore, signal: AbortSignal): Promise<Survey> => {
  const pictures = new Map<string, SurveyedPicture>()
  const namedBy = new Map<string, Set<string>>()
  const gone = new Set<string>()
  let position: Position | null = null
  for (;;) {
    signal.throwIfAborted()
    const events: readonly RecordedEvent[] = await eventStore.readAll(position, pageOf)
    for (const event of events) {
      const { stream, type, data } = event
      if (stream.startsWith(prefix)) {
        const hash = stream.slice(prefix.length)
        const after = pictureAfter(pictures.get(hash), event)
        if (after !== undefined) pictures.set(hash, after)
        continue
      }
      if (type === 'SampleArtworkRemoved' || (type === 'BlogPostRemoved' && data['reason'] === 'sample'))
        gone.add(stream)
      else if (type === 'BlogPostReturned') gone.delete(stream)
      for (const [hash] of JSON.stringify(data).matchAll(/[0-9a-f]{64}/g)) {
        const streams = namedBy.get(hash) ?? new Set()
        namedBy.set(hash, streams.add(stream))
      }
    }
    const last = events.at(-1)
    if (last === undefined) break
    ;({ position } = last)
  }
  const used = [...namedBy].filter(([, streams]) => !streams.isSubsetOf(gone)).map(([hash]) => hash)
  return { pictures, used: new Set(used) }
}
