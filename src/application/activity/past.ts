import type { Application } from '../application.ts'
import { type Done, dispatch, type Outcome, untilSettled } from '../kernel/execute.ts'
import { UnreadableEvent, unreadableToPeople } from '../kernel/codec.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { originalKey } from '../images/image-files.ts'
import type { ManyStreams } from '../kernel/many-streams.ts'
import type { RecordedEvent } from '../kernel/ports/event-store.ts'
import { eachOf, othersFirst } from '../kernel/turns.ts'
import { changesIn, isSet, type Part, partKeysOf, partsOf, type UndoneModule } from './parts.ts'
import { termNames } from '../taxonomy/taxonomy.ts'
import { type WrittenByCommand, writtenTo } from './written.ts'
import { artworkDecider } from '#domain/artworks/artwork.ts'
import { artworkEvents } from '#domain/artworks/events.ts'
import { isTermChange } from '#domain/artworks/undo.ts'
import type { Decider } from '#domain/decider.ts'
import { idOfStream } from '#domain/event.ts'
import type { DomainEvent } from '#domain/events.ts'
import { fieldInWords, keysOf } from '#domain/field-rules.ts'
import { blogPostDecider, effectivePost } from '#domain/journal/blog-post.ts'
import { cannotBeUndone, changedSince, Refusal } from '#domain/refusal.ts'
import { siteContentDecider, siteContentStream } from '#domain/site-content/site-content.ts'
import { taxonomyAggregate } from '#domain/taxonomy/taxonomy.ts'

/** A command of the past, by where its events stand. */
export interface PastCommand {
  readonly commandId: string
  readonly streams: readonly string[]
}

/** The events of a command in one stream, and how they are taken back. */
export interface Past {
  readonly module: UndoneModule
  readonly subjectId: string
  readonly parts: readonly Part[]
  /** what the command and its undos wrote to the stream */
  readonly recorded: readonly RecordedEvent[]
  /** Whether an undo of the command has been at a part already, and still stands. */
  readonly isBack: (part: Part) => boolean
  /** Why a part can not be taken back now; null when it can. */
  readonly refusalOf: (part: Part) => Promise<Refusal | null>
  readonly nameOf: (part: Part) => Promise<string>
  /** @throws {StaleVersion} when the stream has gone on since this was read: it is to be judged {@link anew} */
  readonly send: (many: ManyStreams, events: readonly DomainEvent[]) => Promise<Outcome<unknown>>
  /** Takes all of it back or nothing. @throws {Refusal} {StaleVersion} as `send` */
  readonly dispatch: (context: CommandContext) => Promise<Done>
  /** The same, read anew. */
  readonly anew: () => Promise<Past>
}

export type Stores = Pick<Application, 'executor' | 'eventStore' | 'readModels' | 'files' | 'lookups'>

/** What brought a thing back: to undo that takes it away, with all that was done to it meanwhile. */
const broughtBack: ReadonlySet<string> = new Set(['ArtworkRestored', 'CategoryRestored', 'MediumRestored'])

const quoted = (name: string): string => (name === '' ? 'One without a name' : `“${name}”`)

const moduleOfStream = (stream: string): UndoneModule | null => {
  if (stream === siteContentStream) return 'site-content'
  if (stream === 'categories' || stream === 'mediums') return stream
  if (stream.startsWith('artwork-')) return 'artworks'
  return stream.startsWith('blogPost-') ? 'journal' : null
}

/** How the events of one kind of stream are taken back. */
interface Way<State, Command, Event> {
  readonly decider: Decider<State, Command, Event>
  readonly commandFor: (events: readonly Event[]) => Command
  readonly nameIn: (state: State, key: string) => string
  /** @throws {Refusal} where more than the stream keeps a part from being taken back */
  readonly check?: (state: State, part: Part) => Promise<void>
}

const pastBy = <State, Command, Event extends DomainEvent>(
  app: Stores,
  written: WrittenByCommand,
  { decider, commandFor, nameIn, check = async () => {} }: Way<State, Command, Event>,
): Past => {
  const { commandId, stream, module, recorded, events } = written
  const aggregate = { stream, decider }
  // A stream holds events of its own kind only.
  const commandOf = (own: readonly DomainEvent[]) => commandFor(own as readonly Event[])
  const order = (own: readonly DomainEvent[]) => ({
    ...aggregate,
    command: commandOf(own),
    judgedAt: written.revision,
  })
  // Of what has rotted it is not known what it was about: the stream stays as it is.
  const parts = events.length > 0 ? partsOf(module, events) : [{ key: '', events }]
  const isChangedAnew = (part: Part): boolean =>
    part.events.some(
      (event) =>
        changesIn(module, event).some((change) => written.laterChanges.has(change)) ||
        (broughtBack.has(event.type) && written.touchedSince.has(part.key)),
    )
  const judged = async (part: Part): Promise<State> => {
    const state = await app.executor.load(aggregate)
    if (part.events.length === 0) throw cannotBeUndone()
    await check(state, part)
    return state
  }
  const ofStream = module === 'site-content' ? module : idOfStream(stream)
  const subjectId = isSet(module) ? (parts[0]?.key ?? '') : ofStream
  return {
    module,
    subjectId,
    parts,
    recorded,
    isBack: ({ key }) =>
      recorded.some(
        (event) =>
          event.meta.commandId !== commandId &&
          !written.undone.has(event.meta.commandId) &&
          partKeysOf(module, event).includes(key),
      ),
    refusalOf: async (part) => {
      if (isChangedAnew(part)) return changedSince()
      try {
        const state = await judged(part)
        decider.decide(commandOf(part.events), state)
        return null
      } catch (error) {
        if (error instanceof Refusal) return error
        // The others can be taken back.
        if (error instanceof UnreadableEvent) return new Refusal('blocked', unreadableToPeople)
        throw error
      }
    },
    nameOf: async ({ key }) => {
      const state = await app.executor.load(aggregate).catch((error: unknown) => {
        if (error instanceof UnreadableEvent) return decider.initialState
        throw error
      })
      return nameIn(state, key)
    },
    send: (many, own) => many.send(order(own)),
    dispatch: async (context) => {
      // Sent again it is answered as it was, whatever came after it.
      const isSentAgain = recorded.some(({ meta }) => meta.commandId === context.commandId)
      if (!isSentAgain && parts.some(isChangedAnew)) throw changedSince()
      for (const part of parts) await judged(part)
      return dispatch(app, subjectId, { ...order(events), context, expectedVersion: null })
    },
    anew: () => pastIn(app, stream, commandId),
  }
}

/** Whether a work that is there, or can be restored, is filed under an entry. @throws {EngineAway} while the lists are behind the log */
const isUsed = async (app: Stores, module: 'categories' | 'mediums', id: string): Promise<boolean> => {
  await untilSettled(app, keysOf(artworkEvents))
  const artworks = await app.lookups.termsOfArtworks()
  return artworks.some(({ categoryId, mediumId }) => (module === 'categories' ? categoryId : mediumId) === id)
}

/** What a command changed in a stream. @throws {Refusal} where it left nothing there that can be taken back */
const pastIn = async (app: Stores, stream: string, commandId: string): Promise<Past> => {
  const module = moduleOfStream(stream)
  if (module === null) throw cannotBeUndone()
  const written = await writtenTo(app.eventStore, stream, module, commandId)
  if (written.events.length === 0 && !written.isRotted) throw cannotBeUndone()
  switch (module) {
    case 'site-content':
      return pastBy(app, written, {
        decider: siteContentDecider,
        commandFor: (events) => ({ type: 'UndoContentChange' as const, events }),
        nameIn: (_, field) => fieldInWords(field),
      })
    case 'categories':
    case 'mediums': {
      const kind = module === 'categories' ? 'Category' : 'Medium'
      return pastBy(app, written, {
        decider: taxonomyAggregate(kind).decider,
        commandFor: (events) => ({ type: 'UndoChange' as const, events }),
        nameIn: (state, key) => `${kind} ${quoted(state.get(key)?.name ?? '')}`,
        check: async (state, { key, events }) => {
          // Samples go with what is filed under them; one that a work of hers uses by now stays (spec W-29).
          const goes = events.some(({ type }) => broughtBack.has(type)) && state.get(key)?.sample === true
          if (goes && (await isUsed(app, module, key)))
            throw new Refusal('blocked', 'Works are filed under it')
        },
      })
    }
    case 'artworks': {
      const names = written.events.some(isTermChange) ? await termNames(app) : undefined
      return pastBy(app, written, {
        decider: artworkDecider,
        commandFor: (events) => ({ type: 'UndoArtworkChange' as const, events, names }),
        nameIn: (state) => (state.status === 'none' ? 'A work' : quoted(state.artwork.title)),
        check: async (state) => {
          // Before images of removed samples were kept for the undo, they went with them.
          const hash = state.status === 'gone' ? state.artwork.picture.hash : null
          if (hash !== null && (await app.files.size(originalKey(hash))) === null)
            throw new Refusal('blocked', 'Its picture is not kept any more')
        },
      })
    }
    case 'journal':
      return pastBy(app, written, {
        decider: blogPostDecider,
        commandFor: (events) => ({ type: 'UndoPostChange' as const, events }),
        nameIn: (state) => quoted(effectivePost(state).title),
      })
  }
}

/** Streams read at once. An embedded log answers in the same turn, so that others have theirs only between these. */
const readAtOnce = 8

/** What a command changed, stream by stream. @throws {Refusal} where it left nothing that can be taken back */
export const pastsOf = async (app: Stores, { streams, commandId }: PastCommand): Promise<readonly Past[]> => {
  if (streams.length === 0) throw cannotBeUndone()
  const pasts: Past[] = []
  await eachOf(streams.entries(), readAtOnce, async ([n, stream]) => {
    pasts[n] = await pastIn(app, stream, commandId)
    await othersFirst()
  })
  return pasts
}
