import { canUndoArtwork } from '#domain/artworks/undo.ts'
import { type EventModule, eventsByModule } from '#domain/events.ts'
import { keysOf } from '#domain/field-rules.ts'
import { canUndoPost } from '#domain/journal/blog-post.ts'
import { canUndoEntry } from '#domain/taxonomy/taxonomy.ts'

/** Which events of each module can be undone. */
const canUndo: Readonly<Record<EventModule, (type: string, streams: number) => boolean>> = {
  artworks: canUndoArtwork,
  taxonomy: canUndoEntry,
  'site-content': () => true,
  journal: canUndoPost,
  messages: () => false,
  images: () => false,
}

/**
 * Whether what one command did can be undone, told by the types of its events: each must be.
 * @param streams how many streams it wrote to
 */
export const canUndoCommand = (types: readonly string[], streams: number): boolean =>
  types.length > 0 &&
  types.every((type) =>
    keysOf(eventsByModule).some((module) => type in eventsByModule[module] && canUndo[module](type, streams)),
  )
