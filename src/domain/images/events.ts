import { z } from 'zod'
import { event, type EventOf } from '#domain/event.ts'

export const pictureFormat = z.enum(['avif', 'webp', 'jpg'])
export type PictureFormat = z.output<typeof pictureFormat>

/** What can happen to a picture (stream `image-<sha-256 of the original>`). Width and height are upright. */
export const imageEvents = {
  /** The original is safe and a first displayable picture exists. `color` is the dominant one, #rrggbb. */
  ImageUploaded: event(
    z.strictObject({
      hash: z.string(),
      format: z.enum(['jpeg', 'png']),
      bytes: z.int(),
      width: z.int(),
      height: z.int(),
      placeholder: z.string(),
      color: z.string(),
    }),
  ),
  /** Every variant exists: each width in each format (decisions 68). */
  ImageProcessed: event(
    z.strictObject({ hash: z.string(), widths: z.array(z.int()), formats: z.array(pictureFormat) }),
  ),
  /** The variants could not be made; `reason` is a sentence for the owner. */
  ImageProcessingFailed: event(z.strictObject({ hash: z.string(), reason: z.string() })),
} as const
export type ImageEvent = EventOf<typeof imageEvents>
