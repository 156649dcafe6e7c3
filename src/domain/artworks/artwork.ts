import type { ArtworkEvent } from './events.ts'
import { acceptedFields, type TermNames, move, revise, type ArtworkChanges } from './revise.ts'
import { undoChanges } from './undo.ts'
import { type ArtworkState, evolveArtwork, noArtwork, type FoldedArtwork } from './state.ts'
import type { Decider } from '../decider.ts'
import { badSortOrder, refuseInvalid } from '../field-rules.ts'
import { changedSince, Refusal } from '../refusal.ts'

/** The stream of one artwork. */
export const artworkStream = (id: string): string => `artwork-${id}`

/** What can be asked of an artwork. `today` is an ISO date, for the latest year an artwork may carry. */
export type ArtworkCommand =
  | { readonly type: 'AddArtwork'; readonly artwork: FoldedArtwork; readonly today: string }
  | {
      readonly type: 'ReviseArtwork'
      readonly changes: ArtworkChanges
      readonly today: string
      /** what terms are called today; needed wherever `changes` may send a shown name back */
      readonly names?: TermNames
    }
  | { readonly type: 'MoveArtwork'; readonly sortOrder: number; readonly rank: string }
  | { readonly type: 'DeleteArtwork' | 'RestoreArtwork' | 'RemoveSampleArtwork' }
  /** Takes back what one command did: all of its events in this stream. */
  | {
      readonly type: 'UndoArtworkChange'
      readonly events: readonly ArtworkEvent[]
      /** what terms are called today, for who reads of it */
      readonly names?: TermNames | undefined
    }
  | {
      readonly type: 'RecordPictureCopied'
      readonly sourceUrl: string
      readonly imageUrl: string
      readonly hash: string
    }
  | { readonly type: 'RecordPictureLinked'; readonly sourceUrl: string; readonly reason: string }

export const noSuchArtwork = (): Refusal =>
  new Refusal('missing', 'There is no such artwork, or it was deleted')

/** The artwork while it can be worked on. @throws {Refusal} `missing` */
const presentArtwork = (state: ArtworkState): FoldedArtwork => {
  if (state.status !== 'present') throw noSuchArtwork()
  return state.artwork
}

/** The artwork for background results, which a deleted artwork takes too: restored, it shows its copied image. */
const keptArtwork = (state: ArtworkState): FoldedArtwork => {
  if (state.status === 'none' || state.status === 'gone') throw noSuchArtwork()
  return state.artwork
}

const restore = (state: ArtworkState): readonly ArtworkEvent[] => {
  const artwork = keptArtwork(state)
  if (state.status === 'present')
    throw new Refusal('blocked', `“${artwork.title}” is not deleted, so there is nothing to restore`)
  return [{ type: 'ArtworkRestored', data: {} }]
}

/** Only what she never changed goes. */
const removeSample = (state: ArtworkState): readonly ArtworkEvent[] => {
  const artwork = keptArtwork(state)
  if (!artwork.sample || state.status === 'deleted')
    throw new Refusal(
      'blocked',
      `“${artwork.title}” is a work of your own, not a sample: delete it by itself`,
    )
  return [{ type: 'SampleArtworkRemoved', data: {} }]
}

const deletion = (artwork: FoldedArtwork): ArtworkEvent => ({
  type: 'ArtworkDeleted',
  data: { title: artwork.title },
})

/** Whether nothing has happened to an artwork since it was added that its owner could know of. */
const isAsAdded = (state: ArtworkState): boolean => state.status === 'present' && state.version === 1

const undo = (
  state: ArtworkState,
  { events, names }: Extract<ArtworkCommand, { type: 'UndoArtworkChange' }>,
): readonly ArtworkEvent[] => {
  const [only] = events
  if (state.status === 'none') throw noSuchArtwork()
  const { artwork, status } = state
  switch (events.length === 1 ? only?.type : undefined) {
    case 'ArtworkDeleted':
      if (status !== 'deleted') throw changedSince()
      return [{ type: 'ArtworkRestored', data: {} }]
    case 'SampleArtworkRemoved':
      if (status !== 'gone') throw changedSince()
      return [{ type: 'ArtworkRestored', data: {} }]
    case 'ArtworkRestored':
      presentArtwork(state)
      return [artwork.sample ? { type: 'SampleArtworkRemoved', data: {} } : deletion(artwork)]
    case 'ArtworkAdded':
      if (!isAsAdded(state)) throw changedSince()
      return [deletion(artwork)]
    default:
      return undoChanges(presentArtwork(state), state.copies, events, names)
  }
}

const decide = (command: ArtworkCommand, state: ArtworkState): readonly ArtworkEvent[] => {
  switch (command.type) {
    case 'AddArtwork':
      if (state.status !== 'none') throw new Refusal('blocked', 'This artwork was already added')
      return [{ type: 'ArtworkAdded', data: acceptedFields(command.artwork, command.today) }]
    case 'ReviseArtwork':
      return revise(presentArtwork(state), command.changes, command.today, command.names)
    case 'MoveArtwork': {
      const artwork = presentArtwork(state)
      refuseInvalid({ sortOrder: badSortOrder(command.sortOrder) })
      return move(artwork, command.sortOrder, command.rank)
    }
    case 'DeleteArtwork':
      return [deletion(presentArtwork(state))]
    case 'RestoreArtwork':
      return restore(state)
    case 'RemoveSampleArtwork':
      return removeSample(state)
    case 'UndoArtworkChange':
      return undo(state, command)
    case 'RecordPictureCopied': {
      const { picture: image } = keptArtwork(state)
      const { sourceUrl, imageUrl, hash } = command
      // The owner may have given another image meanwhile: then the copy is of no use.
      if (image.source === 'own' || image.imageUrl !== sourceUrl) return []
      return [{ type: 'ArtworkPictureCopied', data: { sourceUrl, imageUrl, hash } }]
    }
    case 'RecordPictureLinked': {
      const { picture: image } = keptArtwork(state)
      const { sourceUrl, reason } = command
      if (image.source !== 'copying' || image.imageUrl !== sourceUrl) return []
      return [{ type: 'ArtworkPictureLinked', data: { sourceUrl, reason } }]
    }
  }
}

const bringsBack: readonly ArtworkCommand['type'][] = ['RestoreArtwork', 'UndoArtworkChange']

/** A deleted artwork has a version only for its restoring: every other command finds it missing. */
const versionOf = (state: ArtworkState, command: ArtworkCommand): number | null => {
  if (state.status === 'present') return state.version
  return state.status === 'deleted' && bringsBack.includes(command.type) ? state.version : null
}

/**
 * One artwork: added, revised, moved, sold, deleted and brought back. Any sale status may follow any other, so
 * that a slip can be put right. A deleted artwork refuses all but its restoring with `missing`;
 * a removed sample refuses all but the undoing of that.
 */
export const artworkDecider: Decider<ArtworkState, ArtworkCommand, ArtworkEvent> = {
  initialState: noArtwork,
  decide,
  evolve: evolveArtwork,
  versionOf,
}

/** The artwork, also a deleted one; null when it never was or was a sample that is gone. */
export const artworkOf = (state: ArtworkState): FoldedArtwork | null =>
  state.status === 'present' || state.status === 'deleted' ? state.artwork : null

/** The artwork of this id. */
export const artworkAggregate = (id: string) => ({ stream: artworkStream(id), decider: artworkDecider })
