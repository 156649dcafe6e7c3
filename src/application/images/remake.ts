import type { Application } from '../app.ts'
import { derivedId } from '../kernel/ids.ts'
import { originalKey } from './image-files.ts'
import { image, imageStream } from '#domain/images/image.ts'

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
  const stream = imageStream(hash)
  const { original, discarded } = await app.executor.load(stream, image)
  if (original === null || discarded) return false
  if ((await app.files.readableBytes(originalKey(hash))) !== original.bytes) return false
  const now = app.clock.now()
  const commandId = derivedId('remake', hash, String(Math.floor(now.getTime() / onceInMs)))
  await app.executor.execute({
    stream,
    decider: image,
    command: { type: 'RequestReprocessing', hash },
    context: {
      commandId,
      correlationId: commandId,
      causationId: commandId,
      actor: { kind: 'system', name: 'pictures' },
      now,
    },
    expectedVersion: null,
  })
  return true
}
