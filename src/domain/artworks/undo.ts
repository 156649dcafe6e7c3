import type { ArtworkEvent } from './events.ts'
import { change, move, type WorkChanges } from './revise.ts'
import type { Work } from './work.ts'
import { Refusal } from '#domain/refusal.ts'

const lasting: ReadonlySet<string> = new Set([
  'ArtworkAdded',
  'ArtworkPictureCopied',
  'ArtworkPictureLinked',
  'SampleArtworkRemoved',
] satisfies ArtworkEvent['type'][])

/** Whether what one command did can be undone: whole, so each of its events must be (decisions 96). */
export const canUndo = (types: readonly string[]): boolean =>
  types.length > 0 && !types.some((type) => lasting.has(type))

interface Step {
  /** whether what the event set is still so */
  readonly holds: boolean
  readonly back: WorkChanges
}

const sameLabel = (one: Work['category'], other: Work['category']): boolean =>
  one.id === other.id && one.name === other.name

/** What takes a change of one field back; null for an event that changes no field. */
const stepBack = (work: Work, event: ArtworkEvent): Step | null => {
  switch (event.type) {
    case 'ArtworkRetitled':
      return { holds: work.title === event.data.to, back: { title: event.data.from } }
    case 'ArtworkDescribed':
      return { holds: work.description === event.data.to, back: { description: event.data.from } }
    case 'ArtworkPictureReplaced':
      return {
        holds: work.picture.imageUrl === event.data.to.imageUrl,
        back: { picture: event.data.from },
      }
    case 'ArtworkPriceChanged':
      return { holds: work.price === event.data.to, back: { price: event.data.from } }
    case 'ArtworkCategorised':
      return { holds: sameLabel(work.category, event.data.to), back: { category: event.data.from } }
    case 'ArtworkMediumChanged':
      return { holds: sameLabel(work.medium, event.data.to), back: { medium: event.data.from } }
    case 'ArtworkDimensionsChanged':
      return { holds: work.dimensions === event.data.to, back: { dimensions: event.data.from } }
    case 'ArtworkYearChanged':
      return { holds: work.yearCreated === event.data.to, back: { yearCreated: event.data.from } }
    case 'ArtworkAltTextChanged':
      return { holds: work.altText === event.data.to, back: { altText: event.data.from } }
    case 'ArtworkQrCodeChanged':
      return { holds: work.qrCodeUrl === event.data.to, back: { qrCodeUrl: event.data.from } }
    case 'ArtworkHidden':
      return { holds: !work.isAvailable, back: { isAvailable: true } }
    case 'ArtworkMadeAvailable':
      return { holds: work.isAvailable, back: { isAvailable: false } }
    case 'ArtworkPublished':
      return { holds: work.isVisible, back: { isVisible: false } }
    case 'ArtworkUnpublished':
      return { holds: !work.isVisible, back: { isVisible: true } }
    case 'ArtworkFeatured':
      return { holds: work.isFeatured, back: { isFeatured: false } }
    case 'ArtworkUnfeatured':
      return { holds: !work.isFeatured, back: { isFeatured: true } }
    case 'ArtworkReserved':
      return { holds: work.saleStatus === 'reserved', back: { saleStatus: event.data.from } }
    case 'ArtworkSold':
      return { holds: work.saleStatus === 'sold', back: { saleStatus: event.data.from } }
    case 'ArtworkReleased':
      return { holds: work.saleStatus === 'for_sale', back: { saleStatus: event.data.from } }
    case 'ArtworkWithdrawnFromSale':
      return { holds: work.saleStatus === 'not_for_sale', back: { saleStatus: event.data.from } }
    default:
      return null
  }
}

/** The refusal of an undo that would overwrite a later change. */
export const changedSince = (): Refusal =>
  new Refusal('blocked', 'This was changed again since, so it can no longer be undone')

/**
 * What takes back all that one command changed of a work's fields and place: new events, or none at all
 * unless every value is still as the command left it (decisions 96).
 * @throws {Refusal} `blocked` when anything was changed since or cannot be undone
 */
export const undoChanges = (work: Work, events: readonly ArtworkEvent[]): readonly ArtworkEvent[] => {
  if (!canUndo(events.map((event) => event.type))) throw new Refusal('blocked', 'This cannot be undone')
  let back: WorkChanges = {}
  const moves: ArtworkEvent[] = []
  for (const event of events) {
    if (event.type === 'ArtworkMoved') {
      if (work.sortOrder !== event.data.sortOrder || work.rank !== event.data.rank) throw changedSince()
      moves.push(...move(work, event.data.from.sortOrder, event.data.from.rank))
      continue
    }
    const step = stepBack(work, event)
    if (!step?.holds) throw changedSince()
    back = { ...back, ...step.back }
  }
  return [...change(work, back), ...moves]
}
