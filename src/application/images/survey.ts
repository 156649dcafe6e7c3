import { decodeEvent } from '../kernel/codec.ts'
import type { EventStore, Position, RecordedEvent } from '../kernel/ports/event-store.ts'
import { imageStream } from '#domain/images/image.ts'

/** An image as the log tells of it. Times are ISO 8601. */
export interface SurveyedImage {
  readonly uploadedAt: string
  /** length of its original */
  readonly bytes: number
  /** null while it is kept */
  readonly discardedAt: string | null
  /** when its variants were recorded last, null before */
  readonly processedAt: string | null
  /** how many events it has had, as its decider counts them */
  readonly version: number
}

export interface Survey {
  readonly images: ReadonlyMap<string, SurveyedImage>
  /** hashes that anything in the log ever named: all that it can bring back */
  readonly used: ReadonlySet<string>
  /** of the artworks and posts that name an image, by its hash; as they are called last */
  readonly titles: ReadonlyMap<string, readonly string[]>
}

const pageOf = 500
const prefix = imageStream('')

/** Folds one event of an image's stream. */
const imageAfter = (
  before: SurveyedImage | undefined,
  recorded: RecordedEvent,
): SurveyedImage | undefined => {
  const event = decodeEvent(recorded)
  // Its decider hears nothing of it either.
  if (event === null) return before
  const version = (before?.version ?? 0) + 1
  const at = recorded.occurredAt
  switch (event.type) {
    case 'ImageUploaded':
      return {
        uploadedAt: at,
        bytes: event.data.bytes,
        discardedAt: null,
        processedAt: before?.processedAt ?? null,
        version,
      }
    case 'ImageProcessed':
      return before && { ...before, processedAt: at, version }
    case 'ImageDiscarded':
      return before && { ...before, discardedAt: at, processedAt: null, version }
    default:
      return before && { ...before, version }
  }
}

/**
 * What of an event may name images of ours. What a blog has written names none, as its own are named where they are copied:
 * such texts have no end, and what looks like a hash in them would be remembered with each.
 */
const namingPart = ({ type, data }: RecordedEvent): unknown => {
  switch (type) {
    case 'BlogPostImported':
      return data['sample'] === true ? data : null
    case 'BlogPostPictureCopied':
      // One whose text has rotted has its hash somewhere in it.
      return data['hash'] ?? data
    case 'BlogPostRevised':
    case 'BlogPostReturned':
    case 'BlogPostKeyChanged':
    case 'BlogSyncFailed':
      return null
    default:
      return data
  }
}

/**
 * Reads the whole log for its images and for what names them. Whatever a stream ever named counts as used,
 * for it can be restored or undone: a replaced image, a deleted work's, a removed sample's, one of a post that
 * is gone from the blog. Read from the log and not from the read models, since files are removed by it.
 * @param until read up to here; the whole log unless told
 * @throws {CodecError} for an image's event that cannot be read: then nothing is known for sure
 */
export const surveyImages = async (
  eventStore: Pick<EventStore, 'readAll'>,
  signal: AbortSignal,
  until?: Position | null,
): Promise<Survey> => {
  const images = new Map<string, SurveyedImage>()
  const namedBy = new Map<string, Set<string>>()
  const titleOf = new Map<string, string>()
  let position: Position | null = null
  while (until === undefined || (until !== null && (position === null || position < until))) {
    signal.throwIfAborted()
    const events: readonly RecordedEvent[] = await eventStore.readAll(position, pageOf)
    for (const event of events) {
      if (until !== undefined && until !== null && event.position > until) break
      const { stream, type, data } = event
      if (stream.startsWith(prefix)) {
        const hash = stream.slice(prefix.length)
        const after = imageAfter(images.get(hash), event)
        if (after !== undefined) images.set(hash, after)
        continue
      }
      const title = type === 'ArtworkRetitled' ? data['to'] : data['title']
      if (typeof title === 'string') titleOf.set(stream, title)
      for (const [hash] of JSON.stringify(namingPart(event)).matchAll(/[0-9a-f]{64}/g)) {
        const streams = namedBy.get(hash) ?? new Set()
        namedBy.set(hash, streams.add(stream))
      }
    }
    const last = events.at(-1)
    if (last === undefined) break
    ;({ position } = last)
  }
  const titles = [...namedBy].map(([hash, streams]) => {
    const called = [...streams].flatMap((stream) => titleOf.get(stream) ?? [])
    return [hash, [...new Set(called)]] as const
  })
  return { images, used: new Set(namedBy.keys()), titles: new Map(titles) }
}
