import type { ArtworkEvent } from './events.ts'
import type { Term } from './fields.ts'
import { change, currentName, move, sameValue, type ArtworkChanges, type TermNames } from './revise.ts'
import { type FoldedArtwork, fieldChange, isFieldChange } from './state.ts'
import { cannotBeUndone, changedSince } from '../refusal.ts'

/** What has a way back beside the changes of fields: {@link undoChanges} and the undo of the aggregate know it. */
const withWayBack: ReadonlySet<string> = new Set<ArtworkEvent['type']>([
  'ArtworkMoved',
  'ArtworkDeleted',
  'ArtworkRestored',
  'SampleArtworkRemoved',
])

/** Whether what was done to an artwork that was there can be undone. */
const canUndoChange = (type: string): boolean => isFieldChange(type) || withWayBack.has(type)

/**
 * Whether what happened to an artwork can be undone. Adding is taken back only where many were added at once; one that
 * was added alone is simply deleted.
 * @param streams how many streams the command wrote to
 */
export const canUndoArtwork = (type: string, streams: number): boolean =>
  canUndoChange(type) || (type === 'ArtworkAdded' && streams > 1)

/** Whether an event names two categories or mediums, which may be called otherwise by now. */
export const isTermChange = <Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { type: 'ArtworkCategorised' | 'ArtworkMediumChanged' }> =>
  event.type === 'ArtworkCategorised' || event.type === 'ArtworkMediumChanged'

/** An event with what its terms are called today: their old names stand in no list any more. */
const inTodaysWords = (event: ArtworkEvent, names: TermNames | undefined): ArtworkEvent => {
  if (!isTermChange(event)) return event
  const known = names?.[event.type === 'ArtworkCategorised' ? 'category' : 'medium']
  const today = (term: Term): Term => ({ id: term.id, name: currentName(term, known) })
  return { ...event, data: { from: today(event.data.from), to: today(event.data.to) } }
}

/**
 * What takes back all that one command changed of an artwork's fields and place: new events, or none at all
 * unless every value is still as the command left it. An image of another site that was copied since is the same one.
 * @param copies where those are kept, by their addresses there
 * @param names what its terms are called today
 * @throws {Refusal} `blocked` when anything was changed since or cannot be undone
 */
export const undoChanges = (
  artwork: FoldedArtwork,
  copies: ReadonlyMap<string, string>,
  events: readonly ArtworkEvent[],
  names?: TermNames,
): readonly ArtworkEvent[] => {
  const isItsCopy = (event: ArtworkEvent): boolean =>
    event.type === 'ArtworkPictureReplaced' && copies.get(event.data.to.imageUrl) === artwork.picture.imageUrl
  if (events.length === 0 || !events.every(({ type }) => canUndoChange(type))) throw cannotBeUndone()
  let back: ArtworkChanges = {}
  const moves: ArtworkEvent[] = []
  for (const event of events) {
    if (event.type === 'ArtworkMoved') {
      if (artwork.sortOrder !== event.data.sortOrder || artwork.rank !== event.data.rank) throw changedSince()
      moves.push(...move(artwork, event.data.from.sortOrder, event.data.from.rank))
      continue
    }
    const done = fieldChange(event)
    if (done === null || !(sameValue(artwork[done.field], done.to) || isItsCopy(event))) throw changedSince()
    back = { ...back, [done.field]: done.from }
  }
  return [...change(artwork, back).map((event) => inTodaysWords(event, names)), ...moves]
}
