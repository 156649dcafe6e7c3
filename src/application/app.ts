import type { Executor, Order, Outcome } from '#application/execute.ts'
import type { CommandContext } from '#application/envelope.ts'
import { derivedId } from '#application/ids.ts'
import type { Accounts } from '#application/ports/accounts.ts'
import type { Clock } from '#application/ports/clock.ts'
import type { EventStore, Position } from '#application/ports/event-store.ts'
import type { FileStore } from '#application/ports/files.ts'
import type { HtmlSanitiser } from '#application/ports/html.ts'
import type { KeyVault } from '#application/ports/key-vault.ts'
import type { Leases } from '#application/ports/leases.ts'
import type { Pictures } from '#application/ports/pictures.ts'
import type { ReadModels } from '#application/ports/read-models.ts'
import type { SafeFetch } from '#application/ports/safe-fetch.ts'
import type { Scratch } from '#application/ports/scratch.ts'
import type { Sessions } from '#application/ports/sessions.ts'
import type { DomainEvent } from '#domain/events.ts'

/** Where works stand in the owner's order; what placing one among them needs to know. */
export interface ArtworkPlace {
  readonly id: string
  readonly sortOrder: number
  readonly rank: string
}

/** What use cases ask of the read models. Answers are hints for a decision, never its guard. */
export interface Lookups {
  /** Every work that is not deleted, in the owner's order (decisions 5). */
  readonly artworkPlaces: () => Promise<readonly ArtworkPlace[]>
  /** Posts of the journal that are in it now, with the blog they came from. */
  readonly mirroredPosts: () => Promise<
    readonly {
      readonly id: string
      readonly externalId: string
      readonly blogUrl: string
      readonly sample: boolean
    }[]
  >
  /** The hashes in the addresses of the cards of all works on show (decisions 66). */
  readonly currentCards: () => Promise<readonly string[]>
  readonly sampleArtworkIds: () => Promise<readonly string[]>
  /** How many works that are not deleted carry each of these categories or mediums. */
  readonly worksUsing: (
    set: 'categories' | 'mediums',
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, number>>
}

/** Everything a use case may reach. Built once, in the composition. */
export interface Application {
  readonly executor: Executor
  readonly eventStore: EventStore
  readonly readModels: ReadModels
  readonly lookups: Lookups
  readonly clock: Clock
  readonly files: FileStore
  readonly pictures: Pictures
  readonly safeFetch: SafeFetch
  readonly html: HtmlSanitiser
  readonly keyVault: KeyVault
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly scratch: Scratch
  readonly leases: Leases
}

/** What a command answers: where it left the log and whether the read models show it already (decisions 21). */
export interface Done {
  readonly id: string
  /** null when nothing had to be written */
  readonly position: Position | null
  readonly visible: boolean
}

/**
 * Executes one command and waits until the read models show it. Where nothing had to be written they must show
 * why: what came before may be on its way to them still. @throws as {@link Executor.execute}
 */
export const dispatch = async <State, Command, Event extends DomainEvent>(
  app: Pick<Application, 'executor' | 'readModels'>,
  id: string,
  order: Order<State, Command, Event>,
): Promise<Done & { readonly outcome: Outcome<State> }> => {
  const outcome = await app.executor.execute(order)
  const upTo = outcome.position ?? outcome.upTo
  const visible = upTo === null || (await app.readModels.shows(upTo))
  return { id, position: outcome.position, visible, outcome }
}

/** The context of a command that the site itself sends because of an event: the same event, the same command. */
export const causedBy = (
  cause: { readonly eventId: string; readonly correlationId: string },
  name: string,
  now: Date,
): CommandContext => ({
  commandId: derivedId('reaction', name, cause.eventId),
  correlationId: cause.correlationId,
  causationId: cause.eventId,
  actor: { kind: 'system', name },
  now,
})
