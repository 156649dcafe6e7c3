import type { Position } from '#application/kernel/ports/event-store.ts'
import { beyondLog, ViewsAstray } from './astray.ts'
import type { Gathered } from './fold-group.ts'
import { type ProjectorState, retrying } from './projector-state.ts'

/**
 * Stores what was folded in, unless what is stored is ahead of the log.
 * @throws {ViewsAstray} when a document that it is about is
 */
const write = async ({ options }: ProjectorState, gathered: Gathered): Promise<void> => {
  const refuseBeyond = async (places: ReadonlyMap<string, Position>): Promise<void> => {
    const beyond = await beyondLog(options.eventStore, places)
    if (beyond.size > 0) throw new ViewsAstray(beyond, 'documents')
  }
  await refuseBeyond(gathered.ahead)
  await gathered.store((furthest) => refuseBeyond(new Map([['a document', furthest]])))
}

/** Stores what was gathered. Then it can be read: whoever waits for it or wants to hear of it is told. */
export const storeGathered = async (at: ProjectorState, gathered: Gathered): Promise<void> => {
  await retrying(at, () => write(at, gathered))
  const { position, changedViews, parked } = gathered
  at.shown = position
  for (const { view, type, stream, position: where, reason } of parked)
    at.options.log.error(
      { view, type, stream, position: where, reason },
      'An event was parked: a view goes on without it',
    )
  if (at.options.onStored !== undefined)
    for (const { projection, checkpoint, changedAt } of at.group?.folds() ?? [])
      at.options.onStored(projection.view.name, { position: checkpoint(), changedAt: changedAt() })
  at.audience.show(() => position)
  at.audience.tell(changedViews, position)
}

/** Stores all that is folded in, also what was to wait for it. */
export const storeNow = async (at: ProjectorState): Promise<void> => {
  clearTimeout(at.round.later?.timer)
  at.round.later = null
  const gathered = at.group?.gather() ?? null
  if (gathered !== null) await storeGathered(at, gathered)
  const { readyAt, shown } = at
  if (readyAt === null || (shown !== null && shown >= readyAt)) at.ready.resolve()
}

/** Does so a while later, with what is folded in by then. */
export const storeLater = (at: ProjectorState, ms: number): void => {
  const { round } = at
  const due = performance.now() + ms
  if (round.later !== null && round.later.due <= due) return
  clearTimeout(round.later?.timer)
  const isOver = (): boolean => round.signal.aborted || round !== at.round
  const storeThen = () => (isOver() ? Promise.resolve() : storeNow(at))
  const timer = setTimeout(() => {
    at.inTurn(storeThen).catch((error: unknown) => round.ending.abort(error))
  }, ms)
  round.later = { timer, due }
}
