import type { ArtworkEvent } from './events.ts'
import { acceptedFields, changeSale, type LabelNames, move, revise, type WorkChanges } from './revise.ts'
import { changedSince, undoChanges } from './undo.ts'
import { type ArtworkState, evolveArtwork, noArtwork, type Work } from './work.ts'
import type { Decider } from '#domain/decider.ts'
import { badSortOrder, refuseInvalid } from '#domain/fields.ts'
import { Refusal } from '#domain/refusal.ts'

/** The stream of one work. */
export const artworkStream = (id: string): string => `artwork-${id}`

/** What can be asked of a work. `today` is an ISO date, for the latest year a work may carry. */
export type ArtworkCommand =
  | { readonly type: 'AddArtwork'; readonly work: Work; readonly today: string }
  | {
      readonly type: 'ReviseArtwork'
      readonly changes: WorkChanges
      readonly today: string
      /** what labels show today; needed wherever `changes` may send a shown label back (decisions 93) */
      readonly names?: LabelNames
    }
  | { readonly type: 'MoveArtwork'; readonly sortOrder: number; readonly rank: string }
  | { readonly type: 'SellArtwork' | 'ReserveArtwork' | 'ReleaseArtwork' | 'WithdrawArtwork' }
  | { readonly type: 'DeleteArtwork' | 'RestoreArtwork' | 'RemoveSampleArtwork' }
  /** Takes back what one command did: all of its events in this stream (decisions 96). */
  | { readonly type: 'UndoArtworkChange'; readonly events: readonly ArtworkEvent[] }
  | {
      readonly type: 'RecordPictureCopied'
      readonly sourceUrl: string
      readonly imageUrl: string
      readonly hash: string
    }
  | { readonly type: 'RecordPictureLinked'; readonly sourceUrl: string; readonly reason: string }

const missing = (): Refusal => new Refusal('missing', 'There is no such artwork, or it was deleted')

/** The work while it can be worked on. @throws {Refusal} `missing` */
const presentWork = (state: ArtworkState): Work => {
  if (state.status !== 'present') throw missing()
  return state.work
}

/** The work for background results, which a deleted work takes too: restored, it shows its copied picture. */
const keptWork = (state: ArtworkState): Work => {
  if (state.status === 'none' || state.status === 'gone') throw missing()
  return state.work
}

const restore = (state: ArtworkState): readonly ArtworkEvent[] => {
  const work = keptWork(state)
  if (state.status === 'present')
    throw new Refusal('blocked', `“${work.title}” is not deleted, so there is nothing to restore`)
  return [{ type: 'ArtworkRestored', data: {} }]
}

const removeSample = (state: ArtworkState): readonly ArtworkEvent[] => {
  const work = keptWork(state)
  if (!work.sample)
    throw new Refusal('blocked', `“${work.title}” is a work of your own, not a sample: delete it by itself`)
  return [{ type: 'SampleArtworkRemoved', data: {} }]
}

const undo = (state: ArtworkState, events: readonly ArtworkEvent[]): readonly ArtworkEvent[] => {
  const work = keptWork(state)
  const [only] = events
  if (events.length === 1 && only?.type === 'ArtworkDeleted') {
    if (state.status === 'present') throw changedSince()
    return [{ type: 'ArtworkRestored', data: {} }]
  }
  presentWork(state)
  return events.length === 1 && only?.type === 'ArtworkRestored'
    ? [{ type: 'ArtworkDeleted', data: { title: work.title } }]
    : undoChanges(work, events)
}

const decide = (command: ArtworkCommand, state: ArtworkState): readonly ArtworkEvent[] => {
  switch (command.type) {
    case 'AddArtwork':
      if (state.status !== 'none') throw new Refusal('blocked', 'This artwork was already added')
      return [{ type: 'ArtworkAdded', data: acceptedFields(command.work, command.today) }]
    case 'ReviseArtwork':
      return revise(presentWork(state), command.changes, command.today, command.names)
    case 'MoveArtwork': {
      const work = presentWork(state)
      refuseInvalid({ sortOrder: badSortOrder(command.sortOrder) })
      return move(work, command.sortOrder, command.rank)
    }
    case 'SellArtwork':
      return changeSale(presentWork(state), 'sold')
    case 'ReserveArtwork':
      return changeSale(presentWork(state), 'reserved')
    case 'ReleaseArtwork':
      return changeSale(presentWork(state), 'for_sale')
    case 'WithdrawArtwork':
      return changeSale(presentWork(state), 'not_for_sale')
    case 'DeleteArtwork':
      return [{ type: 'ArtworkDeleted', data: { title: presentWork(state).title } }]
    case 'RestoreArtwork':
      return restore(state)
    case 'RemoveSampleArtwork':
      return removeSample(state)
    case 'UndoArtworkChange':
      return undo(state, command.events)
    case 'RecordPictureCopied': {
      const { picture } = keptWork(state)
      const { sourceUrl, imageUrl, hash } = command
      // The owner may have given another picture meanwhile: then the copy is of no use.
      if (picture.source === 'own' || picture.imageUrl !== sourceUrl) return []
      return [{ type: 'ArtworkPictureCopied', data: { sourceUrl, imageUrl, hash } }]
    }
    case 'RecordPictureLinked': {
      const { picture } = keptWork(state)
      const { sourceUrl, reason } = command
      if (picture.source !== 'copying' || picture.imageUrl !== sourceUrl) return []
      return [{ type: 'ArtworkPictureLinked', data: { sourceUrl, reason } }]
    }
  }
}

const bringsBack: readonly ArtworkCommand['type'][] = ['RestoreArtwork', 'UndoArtworkChange']

/** A deleted work has a version only for its restoring: every other command finds it missing. */
const versionOf = (state: ArtworkState, command: ArtworkCommand): number | null => {
  if (state.status === 'present') return state.version
  return state.status === 'deleted' && bringsBack.includes(command.type) ? state.version : null
}

/**
 * One work: added, revised, moved, sold, deleted and brought back. Any sale status may follow any other, so
 * that a slip can be put right (decisions 23). A deleted work refuses all but its restoring with `missing`;
 * a removed sample is missing for good (decisions 41, 48, 107).
 */
export const artwork: Decider<ArtworkState, ArtworkCommand, ArtworkEvent> = {
  initialState: noArtwork,
  decide,
  evolve: evolveArtwork,
  versionOf,
}

/** The work, also a deleted one; null when it never was or was a sample that is gone. */
export const workOf = (state: ArtworkState): Work | null =>
  state.status === 'present' || state.status === 'deleted' ? state.work : null
