import type { Artwork } from '#web/contract/artworks.ts'
import type { BatchFile } from './use-batch.ts'

/** How a file of the queue stands now: what was made of it may have been published or taken back since. */
export type BatchState = BatchFile['state'] | 'published' | 'gone'

/** @param artworks all that there are now; undefined while they are not known */
export function batchState(
  { state, id }: Pick<BatchFile, 'state' | 'id'>,
  artworks: readonly Pick<Artwork, 'id' | 'isVisible'>[] | undefined,
): BatchState {
  if (state !== 'added' || artworks === undefined) return state
  const artwork = artworks.find((each) => each.id === id)
  if (artwork === undefined) return 'gone'
  return artwork.isVisible ? 'published' : 'added'
}
