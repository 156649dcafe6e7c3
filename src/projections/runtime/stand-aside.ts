import { pause } from '#application/kernel/retry.ts'
import { CheckpointMoved } from '#application/kernel/ports/documents.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { astrayInWords, beyondLog, placesAstray, ViewsAstray } from './astray.ts'
import { isFinal, retrying, type ProjectorState } from './projector-state.ts'

/** How often it is asked whether the views are ahead of the log. */
const usualLookMs = 5_000

const untilNextLook = (
  at: ProjectorState,
  signal: AbortSignal,
  options?: { ref: boolean },
): Promise<unknown> => pause(at.options.lookEveryMs ?? usualLookMs, signal, options)

/** Ends the round when the stored checkpoints are ahead of the log, which nobody may notice for long. */
export const endRoundIfAstray = async (at: ProjectorState): Promise<void> => {
  const places = await placesAstray(at.options)
  if (places.size > 0 && at.state !== 'astray') at.round.ending.abort(new ViewsAstray(places))
}

/**
 * Ends the round when a checkpoint lies before where it was stored, as in an older copy that was put back: while nothing is written
 * nobody else would notice, and no web process shows anything until all of the log is shown again.
 */
const endRoundIfSetBack = (at: ProjectorState): Promise<void> =>
  at.inTurn(async () => {
    const { round } = at
    const folds = at.state === 'live' ? (at.group?.folds() ?? []) : []
    const stored = await at.options.documents.checkpoints(folds.map(({ projection }) => projection.view))
    for (const [n, { checkpoint, projection }] of folds.entries()) {
      const position = stored[n] ?? null
      // What is gone may be on its way back.
      if (position !== null && position < (checkpoint() ?? ''))
        round.ending.abort(new CheckpointMoved(projection.view.name))
    }
  })

/** Both now and then until the projector stops. */
export const keepLooking = async (at: ProjectorState): Promise<void> => {
  while (!at.signal.aborted) {
    await untilNextLook(at, at.signal, { ref: false })
    // An engine that is away is told of by who projects.
    if (at.state !== 'live') continue
    await endRoundIfAstray(at)
      .then(() => endRoundIfSetBack(at))
      .catch(() => undefined)
  }
}

/** Why a round ended, when that is because the views are ahead of the log. */
export const astrayFrom = async (at: ProjectorState, thrown: unknown): Promise<ViewsAstray | null> => {
  if (thrown instanceof ViewsAstray) return thrown
  if (!isFinal(thrown)) return null
  const places = await retrying(at, () => placesAstray(at.options), at.signal)
  return places.size === 0 ? null : new ViewsAstray(places)
}

/** Waits until the views were built anew, or the log is there again. */
export const standAside = async (at: ProjectorState, why: ViewsAstray): Promise<void> => {
  const { eventStore, log } = at.options
  at.built = Promise.withResolvers()
  at.astray = why
  at.state = 'astray'
  const words = `${astrayInWords(why.places)}. Until then nothing is saved`
  log.error({ places: Object.fromEntries(why.places) }, words)
  at.audience.sendAway()
  at.ready.reject(why)
  const mended = at.built.promise.then(() => true)
  for (;;) {
    const isBuilt = await Promise.race([mended, untilNextLook(at, at.signal).then(() => false)])
    at.signal.throwIfAborted()
    if (isBuilt) break
    const found = why.of === 'documents' ? why.places : new Map<string, Position>()
    const beyond = () => Promise.all([placesAstray(at.options), beyondLog(eventStore, found)])
    const [stored, documents] = await retrying(at, beyond, at.signal)
    if (!at.isBuilding && stored.size + documents.size === 0) break
  }
  log.info({}, 'What is served is no longer ahead of the log; projecting goes on')
  at.astray = null
  at.state = 'catching-up'
}
