import { type ArtworkEvent, artworkEvents } from './events.ts'
import { keysOf } from '../field-rules.ts'
import { type ArtworkFields, saleEvents, switchFields, valueFields } from './fields.ts'

export interface FoldedArtwork extends ArtworkFields {
  /** orders the artworks of one sortOrder; made by the caller, compared as text */
  readonly rank: string
  /** sample content that the owner has never changed; any change of hers makes it an artwork of her own */
  readonly sample: boolean
}

/** `gone`: a sample that was removed with all the others; for the owner it never was, until that is undone. */
export type ArtworkStatus = 'present' | 'deleted' | 'gone'

/** An artwork as its decisions see it. */
export type ArtworkState =
  | { readonly status: 'none' }
  | {
      readonly status: ArtworkStatus
      readonly artwork: FoldedArtwork
      /** counts the changes that its owner could know of */
      readonly version: number
      /** where images of other sites that it showed are kept here, by their addresses there */
      readonly copies: ReadonlyMap<string, string>
    }

export const noArtwork: ArtworkState = { status: 'none' }

/**
 * Whether an event raises an artwork's version: all do but those of background work, which must never cause a 409 and
 * which nobody takes back.
 */
const countsForVersion = (type: string): boolean =>
  type !== 'ArtworkPictureCopied' && type !== 'ArtworkPictureLinked'

/** The version of an artwork after an event of this type; 0 is the version before its first one. */
export const nextVersion = (version: number, type: ArtworkEvent['type']): number =>
  countsForVersion(type) ? version + 1 : version

/** What is done to all samples together; everything else that counts for the version is the owner's doing. */
const ofSamples: ReadonlySet<string> = new Set([
  'SampleArtworkRemoved',
  'ArtworkRestored',
] satisfies ArtworkEvent['type'][])

/**
 * Whether an artwork is still an untouched sample after an event of this type. Restoring leaves it as it is: her
 * own deletion has made it hers before.
 */
export const sampleAfter = (sample: boolean, type: ArtworkEvent['type']): boolean =>
  sample && (ofSamples.has(type) || !countsForVersion(type))

/** What an event did to one field of an artwork: undo gives `from` back, where `to` still stands. */
export interface FieldChange {
  readonly field: Exclude<keyof ArtworkFields, 'sortOrder'>
  readonly from: unknown
  readonly to: unknown
}

type OfField = (data: Readonly<Record<string, unknown>>) => FieldChange

const ofField: ReadonlyMap<string, OfField> = new Map([
  ...keysOf(valueFields).map((field): [string, OfField] => [
    valueFields[field].changedBy,
    (data) => ({ field, from: data['from'], to: data['to'] }),
  ]),
  ...keysOf(switchFields).flatMap((field): [string, OfField][] => [
    [switchFields[field].on, () => ({ field, from: false, to: true })],
    [switchFields[field].off, () => ({ field, from: true, to: false })],
  ]),
  ...keysOf(saleEvents).map((to): [string, OfField] => [
    saleEvents[to],
    (data) => ({ field: 'saleStatus', from: data['from'], to }),
  ]),
])

/** Whether events of a type tell of the change of one field. */
export const isFieldChange = (type: string): boolean => ofField.has(type)

/** What an event changed of one field, by the tables of the fields; null for any other event. */
export const fieldChange = (event: ArtworkEvent): FieldChange | null =>
  event.type === 'ArtworkAdded' ? null : (ofField.get(event.type)?.(event.data) ?? null)

/** What an event changes of the artwork's own values; nothing for one that changes only its status. */
export const changeOf = (
  artwork: Pick<FoldedArtwork, 'picture'>,
  event: ArtworkEvent,
): Partial<FoldedArtwork> => {
  switch (event.type) {
    case 'ArtworkPictureCopied':
      return { picture: { imageUrl: event.data.imageUrl, source: 'own', hash: event.data.hash } }
    case 'ArtworkPictureLinked':
      return { picture: { ...artwork.picture, source: 'link' } }
    case 'ArtworkMoved':
      return { sortOrder: event.data.sortOrder, rank: event.data.rank }
    default: {
      const change = fieldChange(event)
      return change === null ? {} : { [change.field]: change.to }
    }
  }
}

const knownTypes: ReadonlySet<string> = new Set(Object.keys(artworkEvents))

/** What becomes of an artwork: an event of its stream may delete it and bring it back. */
export const statusAfter = (status: ArtworkStatus, type: ArtworkEvent['type']): ArtworkStatus => {
  if (type === 'ArtworkDeleted') return 'deleted'
  if (type === 'ArtworkRestored') return 'present'
  return type === 'SampleArtworkRemoved' ? 'gone' : status
}

/** Folds one event into the state; types it does not know leave the state as it is. */
export const evolveArtwork = (state: ArtworkState, event: ArtworkEvent): ArtworkState => {
  if (event.type === 'ArtworkAdded')
    return { status: 'present', artwork: event.data, version: 1, copies: new Map() }
  if (state.status === 'none' || !knownTypes.has(event.type)) return state
  return {
    status: statusAfter(state.status, event.type),
    artwork: {
      ...state.artwork,
      ...changeOf(state.artwork, event),
      sample: sampleAfter(state.artwork.sample, event.type),
    },
    version: nextVersion(state.version, event.type),
    copies:
      event.type === 'ArtworkPictureCopied'
        ? new Map(state.copies).set(event.data.sourceUrl, event.data.imageUrl)
        : state.copies,
  }
}
