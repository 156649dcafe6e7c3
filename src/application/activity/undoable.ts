import { artworkEvents } from '#domain/artworks/events.ts'
import { canUndo } from '#domain/artworks/undo.ts'
import { canUndoPost } from '#domain/journal/blog-post.ts'
import { siteContentEvents } from '#domain/site-content/events.ts'
import { canUndoEntries } from '#domain/taxonomy/taxonomy.ts'

const canUndoOne = (type: string, streams: number): boolean =>
  (type in artworkEvents && canUndo([type], streams)) ||
  type in siteContentEvents ||
  canUndoEntries([type]) ||
  canUndoPost([type])

/**
 * Whether what one command did can be undone, told by the types of its events: each must be.
 * @param streams how many streams it wrote to
 */
export const canUndoCommand = (types: readonly string[], streams: number): boolean =>
  types.length > 0 && types.every((type) => canUndoOne(type, streams))
