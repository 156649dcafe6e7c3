import type { Application } from '../application.ts'
import { type Done, dispatch, type Outcome } from '../kernel/execute.ts'
import { decodeEvent } from '../kernel/codec.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { originalKey } from '../images/image-files.ts'
import { manyStreams, type ManyStreams } from '../kernel/many-streams.ts'
import type { RecordedEvent } from '../kernel/ports/event-store.ts'
import { streamInParts } from '../kernel/loaded-streams.ts'
import { artworkDecider } from '#domain/artworks/artwork.ts'
import type { Decider } from '#domain/decider.ts'
import { idOfStream } from '#domain/event.ts'
import type { DomainEvent } from '#domain/events.ts'
import { fieldInWords } from '#domain/field-rules.ts'
import { blogPostDecider, shownPost } from '#domain/journal/blog-post.ts'
import { cannotBeUndone, changedSince, Refusal } from '#domain/refusal.ts'
import { siteContentDecider, siteContentStream } from '#domain/site-content/site-content.ts'
import { taxonomyAggregate } from '#domain/taxonomy/taxonomy.ts'

/** A command of the past, by where its events stand. */
export interface PastCommand {
  readonly commandId: string
  readonly streams: readonly string[]
}

/** What an undo left as it is, and why. */
export interface Skipped {
  readonly subjectId: string
  readonly sentence: string
}

export type UndoneModule = 'artworks' | 'categories' | 'mediums' | 'site-content' | 'journal'

/** What one command changed that stands and falls together: a work, an entry of a set, a post, a text. */
interface Part {
  /** tells the parts of one stream apart */
  readonly key: string
  readonly events: readonly DomainEvent[]
}

/** The events of a command in one stream, and how they are taken back. */
interface Past {
  readonly module: UndoneModule
  readonly subjectId: string
  readonly parts: readonly Part[]
  /** what the command and its undos wrote to the stream */
  readonly recorded: readonly RecordedEvent[]
  /** Why a part can not be taken back now; null when it can. */
  readonly refusalOf: (part: Part) => Promise<Refusal | null>
  readonly nameOf: (part: Part) => Promise<string>
  readonly send: (many: ManyStreams, events: readonly DomainEvent[]) => Promise<Outcome<unknown>>
  /** Takes all of it back or nothing. @throws {Refusal} */
  readonly dispatch: (context: CommandContext) => Promise<Done>
}

type Stores = Pick<Application, 'executor' | 'eventStore' | 'readModels' | 'files'>

/** Whether each part of its stream is a thing of its own. */
const isSet = (module: UndoneModule): boolean => module === 'categories' || module === 'mediums'

/** The parts that an event of a stream belongs to. */
const keysOf = (module: UndoneModule, { data }: { readonly data: object }): readonly string[] => {
  if (module === 'site-content') {
    // The blog's address is the one setting whose event names no fields.
    return 'changes' in data ? Object.keys(data.changes as object) : ['blogUrl']
  }
  return isSet(module) && 'id' in data ? [String(data.id)] : ['']
}

/** What an event says of the parts of its stream: one that says the same again has the same names for it. */
const saidBy = (
  module: UndoneModule,
  event: { readonly type: string; readonly data: object },
): readonly string[] => {
  const field = 'field' in event.data ? String(event.data.field) : ''
  return keysOf(module, event).map((key) => `${event.type} ${key} ${field}`)
}

/** An event of the site's texts as it is for one field alone. */
const forField = (event: DomainEvent, field: string): DomainEvent => {
  if (!('changes' in event.data)) return event
  const changes = Object.entries(event.data.changes).filter(([name]) => name === field)
  // The same event with fewer of its fields.
  return { ...event, data: { ...event.data, changes: Object.fromEntries(changes) } } as DomainEvent
}

const partsOf = (module: UndoneModule, events: readonly DomainEvent[]): readonly Part[] => {
  const parts = new Map<string, DomainEvent[]>()
  for (const event of events)
    for (const key of keysOf(module, event)) {
      const mine = module === 'site-content' ? forField(event, key) : event
      parts.set(key, [...(parts.get(key) ?? []), mine])
    }
  return [...parts].map(([key, own]) => ({ key, events: own }))
}

const quoted = (name: string): string => (name === '' ? 'One without a name' : `“${name}”`)

const moduleOfStream = (stream: string): UndoneModule | null => {
  if (stream === siteContentStream) return 'site-content'
  if (stream === 'categories' || stream === 'mediums') return stream
  if (stream.startsWith('artwork-')) return 'artworks'
  return stream.startsWith('blogPost-') ? 'journal' : null
}

/**
 * What a command and its undos wrote to a stream, and what others said after it: a value that was changed and set again is
 * not the command's any more. A later command that was undone has said nothing.
 */
const readPast = async (
  app: Stores,
  stream: string,
  module: UndoneModule,
  commandId: string,
): Promise<{ readonly recorded: readonly RecordedEvent[]; readonly saidSince: ReadonlySet<string> }> => {
  const recorded: RecordedEvent[] = []
  const saidByLater = new Map<string, readonly string[]>()
  const undos = new Set<string>()
  const note = (event: RecordedEvent): void => {
    const { commandId: by, causationId: because } = event.meta
    if (by !== because && saidByLater.delete(because)) undos.add(by)
    if (!undos.has(by)) saidByLater.set(by, [...(saidByLater.get(by) ?? []), ...saidBy(module, event)])
  }
  for await (const part of streamInParts(app.eventStore, stream))
    for (const event of part) {
      const { meta } = event
      if (meta.commandId === commandId || meta.causationId === commandId) recorded.push(event)
      else if (recorded.length > 0) note(event)
    }
  return { recorded, saidSince: new Set([...saidByLater.values()].flat()) }
}

const pastIn = async (app: Stores, stream: string, commandId: string): Promise<Past | null> => {
  const module = moduleOfStream(stream)
  if (module === null) return null
  const { recorded, saidSince } = await readPast(app, stream, module, commandId)
  const events = recorded
    .filter((event) => event.meta.commandId === commandId)
    .flatMap((event) => decodeEvent(event) ?? [])
  if (events.length === 0) return null

  const past = <State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    commandFor: (events: readonly Event[]) => Command,
    nameIn: (state: State, key: string) => string,
    check: (state: State, events: readonly DomainEvent[]) => Promise<void> = async () => {},
  ): Past => {
    // A stream holds events of its own kind only.
    const commandOf = (own: readonly DomainEvent[]) => commandFor(own as readonly Event[])
    const aggregate = { stream, decider }
    const order = (own: readonly DomainEvent[]) => ({ ...aggregate, command: commandOf(own) })
    const parts = partsOf(module, events)
    const isSaidAnew = (part: Part): boolean =>
      part.events.some((event) => saidBy(module, event).some((said) => saidSince.has(said)))
    const ofStream = module === 'site-content' ? module : idOfStream(stream)
    const subjectId = isSet(module) ? (parts[0]?.key ?? '') : ofStream
    return {
      module,
      subjectId,
      parts,
      recorded,
      refusalOf: async (part) => {
        if (isSaidAnew(part)) return changedSince()
        const state = await app.executor.load(aggregate)
        try {
          await check(state, part.events)
          decider.decide(commandOf(part.events), state)
          return null
        } catch (error) {
          if (error instanceof Refusal) return error
          throw error
        }
      },
      nameOf: async ({ key }) => nameIn(await app.executor.load(aggregate), key),
      send: (many, own) => many.send(order(own)),
      dispatch: async (context) => {
        // Sent again it is answered as it was, whatever came after it.
        const isSentAgain = recorded.some(({ meta }) => meta.commandId === context.commandId)
        if (!isSentAgain && parts.some(isSaidAnew)) throw changedSince()
        await check(await app.executor.load(aggregate), events)
        return dispatch(app, subjectId, { ...order(events), context, expectedVersion: null })
      },
    }
  }

  switch (module) {
    case 'site-content':
      return past(
        siteContentDecider,
        (events) => ({ type: 'UndoContentChange' as const, events }),
        (_, field) => fieldInWords(field),
      )
    case 'categories':
    case 'mediums': {
      const kind = module === 'categories' ? 'Category' : 'Medium'
      return past(
        taxonomyAggregate(kind).decider,
        (events) => ({ type: 'UndoChange' as const, events }),
        (state, key) => `${kind} ${quoted(state.get(key)?.name ?? '')}`,
      )
    }
    case 'artworks':
      return past(
        artworkDecider,
        (events) => ({ type: 'UndoArtworkChange' as const, events }),
        (state) => (state.status === 'none' ? 'A work' : quoted(state.artwork.title)),
        async (state) => {
          // Before images of removed samples were kept for the undo, they went with them.
          const hash = state.status === 'gone' ? state.artwork.picture.hash : null
          if (hash !== null && (await app.files.size(originalKey(hash))) === null)
            throw new Refusal('blocked', 'Its picture is not kept any more')
        },
      )
    case 'journal':
      return past(
        blogPostDecider,
        (events) => ({ type: 'UndoPostChange' as const, events }),
        (state) => quoted(shownPost(state).title),
      )
  }
}

const pastsOf = async (app: Stores, { streams, commandId }: PastCommand): Promise<readonly Past[]> => {
  const all = await Promise.all(streams.map((stream) => pastIn(app, stream, commandId)))
  const pasts = all.filter((past) => past !== null)
  if (pasts.length < streams.length || pasts.length === 0) throw cannotBeUndone()
  return pasts
}

/** Whether it changed more than one thing; the texts of the site are one. */
const isMany = (pasts: readonly Past[]): boolean => {
  const things = pasts.map(({ module, parts }) => (module === 'site-content' ? 1 : parts.length))
  return things.reduce((sum, count) => sum + count, 0) > 1
}

/** Whether an undo of the command has been at a part already. */
const isBack = ({ recorded, module }: Past, { key }: Part, commandId: string): boolean =>
  recorded.some((event) => event.meta.commandId !== commandId && keysOf(module, event).includes(key))

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)

/** How often the parts of a stream are judged anew when one of them changes in this very moment. */
const rounds = 5

const takeBackParts = async (past: Past, many: ManyStreams, commandId: string): Promise<void> => {
  const parts = past.parts.filter((part) => !isBack(past, part, commandId))
  for (let round = 1; ; round += 1) {
    const events: DomainEvent[] = []
    for (const part of parts) if ((await past.refusalOf(part)) === null) events.push(...part.events)
    if (events.length === 0) return
    try {
      await past.send(many, events)
      return
    } catch (error) {
      if (!(error instanceof Refusal) || round === rounds) throw error
    }
  }
}

/**
 * Takes back what one command did, by new events that restore the earlier values. What changed
 * one thing is taken back whole or not at all. What changed many is taken back stream by stream: whatever was
 * changed since stays as it is ({@link leftAsIs} names it), and asked again it goes on where it stopped.
 * @throws {Refusal} `blocked` when the one thing was changed since, or it can never be undone
 */
export const undoCommand = async (app: Stores, past: PastCommand, context: CommandContext): Promise<Done> => {
  const pasts = await pastsOf(app, past)
  const [only] = pasts
  // By its cause an undo is known again when it is asked for a second time.
  const caused = { ...context, causationId: past.commandId }
  if (only !== undefined && !isMany(pasts)) return only.dispatch(caused)
  const many = manyStreams(app, caused)
  for (const each of pasts) {
    for (const { meta, position, type, stream } of each.recorded)
      if (meta.commandId === context.commandId) many.count(stream, { position, written: [type] })
    await takeBackParts(each, many, past.commandId)
  }
  return many.done(past.commandId)
}

/** What a command changed, for the answer: one thing, by module and id, or many. */
export const undoneBy = async (
  app: Stores,
  past: PastCommand,
): Promise<{ readonly module: UndoneModule; readonly subjectId: string } | 'many'> => {
  const pasts = await pastsOf(app, past)
  const [only] = pasts
  return only === undefined || isMany(pasts) ? 'many' : { module: only.module, subjectId: only.subjectId }
}

/** What an undo of a command that changed many things leaves as it is, each with a sentence for the owner. */
export const leftAsIs = async (app: Stores, past: PastCommand): Promise<readonly Skipped[]> => {
  const skipped: Skipped[] = []
  for (const each of await pastsOf(app, past))
    for (const part of each.parts) {
      if (isBack(each, part, past.commandId)) continue
      const refusal = await each.refusalOf(part)
      if (refusal === null) continue
      skipped.push({
        subjectId: isSet(each.module) ? part.key : each.subjectId,
        sentence: `${await each.nameOf(part)} stays as it is: ${lowerFirst(refusal.message)}`,
      })
    }
  return skipped
}
