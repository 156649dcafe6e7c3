import type { ImageEvent, ImageFormat } from './events.ts'
import type { Decider } from '../decider.ts'
import { Refusal } from '../refusal.ts'

/** The stream of one image, named by the SHA-256 of its original. */
export const imageStream = (hash: string): string => `image-${hash}`

type Uploaded = Extract<ImageEvent, { type: 'ImageUploaded' }>['data']

interface ImageVariants {
  readonly widths: readonly number[]
  readonly formats: readonly ImageFormat[]
}

export interface ImageState {
  /** null until the original is kept here */
  readonly original: Uploaded | null
  /** null until every variant exists; variants that exist once are never lost by a later failure */
  readonly variants: ImageVariants | null
  /** why the variants could not be made, until they are */
  readonly failure: string | null
  /** variants were asked for anew, and the log does not say yet that they are there */
  readonly requested: boolean
  /** its files are gone or go soon, because nothing used it */
  readonly discarded: boolean
  readonly version: number
}

export type ImageCommand =
  | { readonly type: 'RecordUpload'; readonly upload: Uploaded }
  | ({ readonly type: 'RecordProcessed'; readonly hash: string } & ImageVariants)
  /** `reason` is a sentence for the owner. */
  | { readonly type: 'RecordProcessingFailed'; readonly hash: string; readonly reason: string }
  | { readonly type: 'RequestReprocessing'; readonly hash: string }
  /** Whoever sends it knows that nothing uses the image. */
  | { readonly type: 'Discard'; readonly hash: string }
  /** Takes a discard back; whoever sends it knows that the original is still kept. */
  | { readonly type: 'Reclaim'; readonly hash: string }

const sameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index])

const isKept = ({ original, discarded }: ImageState): boolean => original !== null && !discarded

/** @throws {Refusal} `missing` */
const refuseMissing = (state: ImageState): void => {
  if (!isKept(state)) throw new Refusal('missing', 'There is no such picture: upload it first')
}

const decide = (command: ImageCommand, state: ImageState): readonly ImageEvent[] => {
  switch (command.type) {
    case 'RecordUpload':
      // The stream is named by the content: uploaded again, it is the same image.
      return isKept(state) ? [] : [{ type: 'ImageUploaded', data: command.upload }]
    case 'RecordProcessed': {
      refuseMissing(state)
      const { hash } = command
      const { variants, requested } = state
      const same =
        variants !== null &&
        sameList(variants.widths, command.widths) &&
        sameList(variants.formats, command.formats)
      if (same && !requested) return []
      const [widths, formats] = [[...command.widths], [...command.formats]]
      return [{ type: 'ImageProcessed', data: { hash, widths, formats } }]
    }
    case 'RecordProcessingFailed': {
      refuseMissing(state)
      const { hash, reason } = command
      return state.variants !== null || state.failure === reason
        ? []
        : [{ type: 'ImageProcessingFailed', data: { hash, reason } }]
    }
    case 'RequestReprocessing':
      refuseMissing(state)
      return [{ type: 'ImageReprocessingRequested', data: { hash: command.hash } }]
    case 'Discard':
      return isKept(state) ? [{ type: 'ImageDiscarded', data: { hash: command.hash } }] : []
    case 'Reclaim':
      return state.original === null || !state.discarded
        ? []
        : [{ type: 'ImageUploaded', data: state.original }]
  }
}

const evolve = (state: ImageState, event: ImageEvent): ImageState => {
  const version = state.version + 1
  switch (event.type) {
    case 'ImageUploaded':
      return { ...state, original: event.data, discarded: false, version }
    case 'ImageProcessed': {
      const { widths, formats } = event.data
      return { ...state, variants: { widths, formats }, failure: null, requested: false, version }
    }
    case 'ImageProcessingFailed':
      return { ...state, failure: event.data.reason, version }
    case 'ImageReprocessingRequested':
      return { ...state, requested: true, version }
    case 'ImageDiscarded':
      return { ...state, variants: null, failure: null, requested: false, discarded: true, version }
    default:
      return state
  }
}

/** One image. Processing may be tried again after a failure, and run again with other sizes. */
export const imageDecider: Decider<ImageState, ImageCommand, ImageEvent> = {
  initialState: {
    original: null,
    variants: null,
    failure: null,
    requested: false,
    discarded: false,
    version: 0,
  },
  decide,
  evolve,
  versionOf: (state) => (isKept(state) ? state.version : null),
}

/** The image whose original has this sha-256. */
export const imageAggregate = (hash: string) => ({ stream: imageStream(hash), decider: imageDecider })
