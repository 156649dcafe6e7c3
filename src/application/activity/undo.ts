import { type Application, type Done, dispatch } from '#application/app.ts'
import { decodeEvent } from '#application/codec.ts'
import type { CommandContext } from '#application/envelope.ts'
import { artwork } from '#domain/artworks/artwork.ts'
import type { ArtworkEvent } from '#domain/artworks/events.ts'
import { Refusal } from '#domain/refusal.ts'
import type { SiteContentEvent } from '#domain/site-content/events.ts'
import { siteContent } from '#domain/site-content/site-content.ts'

/** A command of the past, by where its events stand. */
export interface PastCommand {
  readonly commandId: string
  readonly module: string
  readonly subjectId: string
  readonly stream: string
}

/**
 * Takes back what one command did, by new events that restore the earlier values: whole, or not at all
 * (decisions 96).
 * @throws {Refusal} `blocked` when something of it was changed since, or can never be undone
 */
export const undoCommand = async (
  app: Application,
  past: PastCommand,
  context: CommandContext,
): Promise<Done> => {
  const { commandId, module, subjectId, stream } = past
  const recorded = await app.eventStore.readStream(stream, 0)
  const events = recorded
    .filter((event) => event.meta.commandId === commandId)
    .flatMap((event) => decodeEvent(event) ?? [])
  const order = { stream, context, expectedVersion: null }
  if (module === 'artworks') {
    // A work's stream holds its own events only.
    const changes = events as readonly unknown[] as readonly ArtworkEvent[]
    const command = { type: 'UndoArtworkChange', events: changes } as const
    return dispatch(app, subjectId, { ...order, decider: artwork, command })
  }
  if (module === 'site-content') {
    // As does the stream of the site's texts.
    const changes = events as readonly unknown[] as readonly SiteContentEvent[]
    const command = { type: 'UndoContentChange', events: changes } as const
    return dispatch(app, subjectId, { ...order, decider: siteContent, command })
  }
  throw new Refusal('blocked', 'This cannot be undone')
}
