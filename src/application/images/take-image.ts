import type { Application } from '../application.ts'
import { type CommandContext, ownContext } from '../kernel/envelope.ts'
import { send } from '../kernel/execute.ts'
import { imageUrlOf } from '#domain/images/image-address.ts'
import { firstKey, holdsOriginal, inFileTurn, originalKey } from './image-files.ts'
import type { Position } from '../kernel/ports/event-store.ts'
import type { FirstLookOptions } from '../ports/images.ts'
import type { DomainEventType } from '#domain/events.ts'
import { imageAggregate, type ImageCommand, imageStream } from '#domain/images/image.ts'
import { derivedId } from '../kernel/ids.ts'
import { ofJournalCopier } from './journal-copier.ts'

/** An image that is safe here and can be shown: sizes are of the upright image, in pixels. */
export interface TakenImage {
  readonly hash: string
  readonly imageUrl: string
  readonly width: number
  readonly height: number
  readonly placeholder: string
  /** where the log says so, now or when the image came here before */
  readonly position: Position | null
}

/**
 * Keeps an image: the untouched original and a first displayable image, then the event that says so, from
 * which the worker makes the rest. The same bytes again answer the same image.
 * @param path a local file, which is left where it is
 * @param options which formats, and whether it comes from elsewhere; by default an upload's
 * @throws {ImageRefused} when the file is not an acceptable image; nothing is kept
 * @throws {DiskFull} when there is no room
 */
export const takeImage = async (
  app: Pick<Application, 'images' | 'files' | 'executor' | 'eventStore' | 'leases'>,
  path: string,
  context: CommandContext,
  options?: FirstLookOptions,
): Promise<TakenImage> => {
  const { hash, format, bytes, ...look } = await app.images.first(path, options)
  const image = imageAggregate(hash)
  const { state, upTo } = await app.executor.read(image)
  const { original: known, discarded } = state
  const isKnown = known !== null && !discarded
  const isWhole = async (): Promise<boolean> => {
    if (!(await holdsOriginal(app.files, hash))) return false
    const first = await app.files.readableBytes(firstKey(hash))
    return first !== null && first === (await app.files.size(firstKey(hash)))
  }
  if (isKnown && (await isWhole())) {
    const { width, height, placeholder } = known
    const position = (state.variants === null && (await takeOutOfRow(app, hash, context))) || upTo
    return { hash, imageUrl: imageUrlOf(hash), width, height, placeholder, position }
  }
  const { width, height, placeholder, color } = look
  const keep = async (check = (): void => undefined) => {
    const there = await app.files.size(originalKey(hash))
    // One that is cut or damaged would otherwise stay as it is. Where none was, another may just have put it.
    if (there !== null && !(await holdsOriginal(app.files, hash))) await app.files.remove([originalKey(hash)])
    await app.files.putFile(originalKey(hash), path)
    await app.files.replace(firstKey(hash), look.view.data)
    // One whose files were lost is no new image; what is made of it may be lost as well.
    const command: ImageCommand = isKnown
      ? { type: 'RequestReprocessing', hash }
      : { type: 'RecordUpload', upload: { hash, format, bytes, width, height, placeholder, color } }
    check()
    return send(app, image, command, context)
  }
  // Files that are there already may be about to be swept away: then not between the putting and the telling.
  const isNew = known === null && (await app.files.size(originalKey(hash))) === null
  const outcome = await (isNew ? keep() : inFileTurn(app.leases, keep))
  // Nothing was written when the same image came in twice at once.
  const position = outcome.position ?? outcome.upTo
  return { hash, imageUrl: imageUrlOf(hash), width, height, placeholder, position }
}

/** What has the sizes of an image made. */
const asking: ReadonlySet<string> = new Set<DomainEventType>(['ImageUploaded', 'ImageReprocessingRequested'])

/**
 * Asks anew for the sizes of an image that a blog has shown before she did: they would wait behind those of all its images.
 * @returns where the log says so; null where it does not wait there
 */
const takeOutOfRow = async (
  app: Pick<Application, 'executor' | 'eventStore'>,
  hash: string,
  context: CommandContext,
): Promise<Position | null> => {
  if (ofJournalCopier(context)) return null
  const asked = (await app.eventStore.readStream(imageStream(hash), 0)).findLast(({ type }) =>
    asking.has(type),
  )
  if (asked === undefined || !ofJournalCopier(asked.meta)) return null
  return (await send(app, imageAggregate(hash), { type: 'RequestReprocessing', hash }, context)).position
}

/**
 * What an image looks like by its own stream: also where the views come late, it is safe here and its address answers.
 * @returns null for one that is not kept here
 */
export const keptImage = async (
  app: Pick<Application, 'executor'>,
  hash: string,
): Promise<Pick<TakenImage, 'width' | 'height' | 'placeholder'> | null> => {
  const { original, discarded } = await app.executor.load(imageAggregate(hash))
  return discarded ? null : original
}

/** An image is not asked for again within the same stretch of so long, in ms: making it takes a while. */
const onceInMs = 60 * 60_000

/**
 * Asks for the variants of an image to be made anew, because some are not what the log says. Asked often, by
 * many processes, it is asked once an hour.
 * @returns whether they can be made: the original is there, as long as it was
 */
export const remakeVariants = async (
  app: Pick<Application, 'executor' | 'files' | 'clock'>,
  hash: string,
): Promise<boolean> => {
  const image = imageAggregate(hash)
  const { original, discarded } = await app.executor.load(image)
  if (original === null || discarded) return false
  if ((await app.files.readableBytes(originalKey(hash))) !== original.bytes) return false
  const now = app.clock.now()
  const commandId = derivedId('remake', hash, String(Math.floor(now.getTime() / onceInMs)))
  await send(app, image, { type: 'RequestReprocessing', hash }, ownContext('pictures', commandId, now))
  return true
}
