import type { Documents, ViewDefinition } from '#application/kernel/ports/documents.ts'
import {
  EngineAway,
  type EventStore,
  type Position,
  rebuildAll,
  UnknownPosition,
} from '#application/kernel/ports/event-store.ts'
import { parkedView } from './fold.ts'
import type { Projection } from './projection.ts'

type Log = Pick<EventStore, 'readAll' | 'head'>

/**
 * The read models tell of more than the log has. Told as an engine that is away: what is to be written waits until
 * somebody has mended it. The message is for whoever writes.
 */
export class ViewsAstray extends EngineAway {
  override readonly name = 'ViewsAstray'
  /** where they say they stand, by their names */
  readonly places: ReadonlyMap<string, Position>
  /** what says so: checkpoints can be asked again at any time, documents only by whoever is about to change them */
  readonly of: 'checkpoints' | 'documents'

  constructor(places: ReadonlyMap<string, Position>, of: 'checkpoints' | 'documents' = 'checkpoints') {
    super(
      'views',
      'Nothing can be saved just now: what is served is ahead of the event log. "atelier doctor" says what to do',
    )
    this.places = places
    this.of = of
  }
}

/** What is wrong, and what to do about it, for whoever runs the site. */
export const astrayInWords = (places: ReadonlyMap<string, string>): string => {
  const [[name = '', position = ''] = []] = places
  const says =
    places.size > 1
      ? `${name} and ${places.size - 1} other views say that they stand`
      : `${name} says that it stands`
  return (
    `${says} at ${position}, where the log has never been: the log was replaced by an older copy, or what is served ` +
    'was changed by hand. Give the log its data back, or, where the log is the right one, run ' +
    rebuildAll
  )
}

/** Whether the log has never been at a place. @param head of the log, read after the place was */
const isBeyond = async (eventStore: Log, position: Position, head: Position | null): Promise<boolean> => {
  if (position === head) return false
  // The end of a server's log moves by what others write there, too.
  if (head === null || position > head) return true
  try {
    await eventStore.readAll(position, 1)
    return false
  } catch (thrown) {
    if (!(thrown instanceof UnknownPosition)) throw thrown
    return true
  }
}

/** Which of these places the log has never been at; they were read before this is called. */
export const beyondLog = async (
  eventStore: Log,
  places: ReadonlyMap<string, Position>,
): Promise<ReadonlyMap<string, Position>> => {
  if (places.size === 0) return places
  const head = await eventStore.head()
  const beyond = new Map<Position, boolean>()
  for (const position of places.values())
    if (!beyond.has(position)) beyond.set(position, await isBeyond(eventStore, position, head))
  return new Map([...places].filter(([, position]) => beyond.get(position) === true))
}

/**
 * Which views say that they show the log up to a place where it has never been: they were made from another log,
 * or from a longer one of which this is an older copy.
 * @returns their places by their names
 */
export const astrayViews = async (
  eventStore: Log,
  documents: Pick<Documents, 'checkpoints'>,
  views: readonly ViewDefinition[],
): Promise<ReadonlyMap<string, Position>> => {
  const checkpoints = await documents.checkpoints(views)
  const places = views.flatMap(({ name }, n) => {
    const position = checkpoints[n] ?? null
    return position === null ? [] : [[name, position] as const]
  })
  return beyondLog(eventStore, new Map(places))
}

/** The same of all that is kept of these projections: their views, and what they have parked. */
export const placesAstray = ({
  eventStore,
  documents,
  projections,
}: {
  readonly eventStore: Log
  readonly documents: Pick<Documents, 'checkpoints'>
  readonly projections: readonly Projection[]
}): Promise<ReadonlyMap<string, Position>> => {
  const everyView = projections.flatMap(({ view }) => [view, parkedView(view)])
  return astrayViews(eventStore, documents, everyView)
}
