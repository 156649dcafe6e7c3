import type { ImageEvent, OriginalFormat } from '#domain/images/events.ts'
import { idOfStream } from '#domain/event.ts'
import type { Projection, ViewDocument } from '../runtime/projection.ts'

/** One image, by the hash of its original. Width and height are of the upright original, in pixels. */
export interface ImageDoc extends ViewDocument {
  readonly width: number
  readonly height: number
  readonly placeholder: string
  /** the dominant colour, #rrggbb */
  readonly color: string
  readonly format: OriginalFormat
  readonly bytes: number
  /** every variant exists */
  readonly ready: boolean
  readonly widths: readonly number[]
  readonly formats: readonly string[]
  /** why the variants could not be made, in words; null while nothing failed */
  readonly failure: string | null
  readonly uploadedAt: string
}

type Handled = Exclude<ImageEvent['type'], 'ImageReprocessingRequested'>

export const imagesProjection: Projection<ImageDoc, Handled> = {
  view: { name: 'images', version: 2, indexes: [] },
  // Artworks and posts show what is known of their images.
  models: ['artworks', 'blog-posts'],
  handles: ['ImageUploaded', 'ImageProcessed', 'ImageProcessingFailed', 'ImageDiscarded'],
  targets: ({ stream }) => ({ ids: [idOfStream(stream)] }),
  apply: (doc, event, id) => {
    const { position } = event
    if (event.type === 'ImageUploaded') {
      const { hash: _sameAsId, ...facts } = event.data
      // Uploaded once more: what was made of it is still there.
      const made = doc ?? {
        ready: false,
        widths: [],
        formats: [],
        failure: null,
        uploadedAt: event.occurredAt,
      }
      return { ...made, ...facts, id, position }
    }
    // Without its files it is no image that is kept here.
    if (doc === null || event.type === 'ImageDiscarded') return null
    if (event.type === 'ImageProcessed') {
      const { widths, formats } = event.data
      return { ...doc, ready: true, widths, formats, failure: null, position }
    }
    return { ...doc, failure: event.data.reason, position }
  },
}
