import { anArtwork } from '#domain/artworks/testing/an-artwork.ts'
import type { DomainEvent } from '#domain/events.ts'
import type { Happened } from './history.ts'

type Added = Extract<DomainEvent, { type: 'ArtworkAdded' }>['data']
export type ArtworkHappening = Extract<DomainEvent, { type: `Artwork${string}` | 'SampleArtworkRemoved' }>

export const imageHash = 'b'.repeat(64)

const monsoon = anArtwork({
  title: 'Monsoon over the Ghats',
  description: 'Rain coming in.',
  picture: { imageUrl: `/images/${imageHash}/original-view.jpg`, source: 'own', hash: imageHash },
  price: 96_000,
  category: { id: null, name: '' },
  dimensions: '90 × 120 cm',
})

/** A work is added: the same one each time, but for what is told. */
export const artworkAdded = (id: string, given: Partial<Added> = {}): Happened => ({
  stream: `artwork-${id}`,
  event: { type: 'ArtworkAdded', data: { ...monsoon, ...given } },
})

/** Something happens to an artwork. */
export const toArtwork = (id: string, event: ArtworkHappening, more: Partial<Happened> = {}): Happened => ({
  stream: `artwork-${id}`,
  event,
  ...more,
})

/** The owner sets how she is paid. */
export const payment = (upiId: string, upiPayeeName = 'Asha Rao', upiKind = 'personal'): Happened => ({
  stream: 'site-content',
  event: {
    type: 'PaymentDetailsChanged',
    data: {
      changes: {
        upiId: { from: '', to: upiId },
        upiPayeeName: { from: '', to: upiPayeeName },
        upiKind: { from: '', to: upiKind },
      },
    },
  },
})

export const categoryAdded = (id: string, name: string): Happened => ({
  stream: 'categories',
  event: {
    type: 'CategoryAdded',
    data: { id, name, description: '', isActive: true, sortOrder: 0, sample: false },
  },
})

export const imageUploaded = (hash: string): Happened => ({
  stream: `image-${hash}`,
  event: {
    type: 'ImageUploaded',
    data: {
      hash,
      format: 'jpeg',
      bytes: 2_000_000,
      width: 4_000,
      height: 3_000,
      placeholder: 'data:image/webp;base64,AAAA',
      color: '#336699',
    },
  },
})

export const imageProcessed = (hash: string): Happened => ({
  stream: `image-${hash}`,
  event: { type: 'ImageProcessed', data: { hash, widths: [320, 640], formats: ['avif', 'webp', 'jpg'] } },
})
