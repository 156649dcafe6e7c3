import { z } from 'zod'
import { event, type EventOf } from '../event.ts'

const imageFormat = z.enum(['avif', 'webp', 'jpg'])
export type ImageFormat = z.output<typeof imageFormat>

/** What an original may be. The owner uploads JPEG and PNG; blogs show the others too. */
export const originalFormat = z.enum(['jpeg', 'png', 'webp', 'gif', 'avif'])
export type OriginalFormat = z.output<typeof originalFormat>

/** What can happen to an image (stream `image-<sha-256 of the original>`). Width and height are upright. */
export const imageEvents = {
  /** The original is safe and a first displayable image exists. `color` is the dominant one, #rrggbb. */
  ImageUploaded: event(
    z.strictObject({
      hash: z.string(),
      format: originalFormat,
      bytes: z.int(),
      width: z.int(),
      height: z.int(),
      placeholder: z.string(),
      color: z.string(),
    }),
  ),
  /** Every variant exists: each width in each format. */
  ImageProcessed: event(
    z.strictObject({ hash: z.string(), widths: z.array(z.int()), formats: z.array(imageFormat) }),
  ),
  /** The variants could not be made; `reason` is a sentence for the owner. */
  ImageProcessingFailed: event(z.strictObject({ hash: z.string(), reason: z.string() })),
  /** Every variant is to be made anew: the operator wants it, or files were gone or broken. */
  ImageReprocessingRequested: event(z.strictObject({ hash: z.string() })),
  /** Nothing has used it for long: its files go soon. Uploaded once more it is `ImageUploaded` again. */
  ImageDiscarded: event(z.strictObject({ hash: z.string() })),
} as const
export type ImageEvent = EventOf<typeof imageEvents>
