import { setTimeout as pause } from 'node:timers/promises'
import { asError } from '#application/kernel/reason.ts'
import { CheckpointMoved } from '#application/kernel/ports/documents.ts'
import type { Engines } from '#infrastructure/engines.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { allProjections } from '#projections/all-projections.ts'
import { type Projector, startProjector } from '#projections/runtime/projector.ts'

/** Held by the one process that projects. */
export const projectorLease = 'projector'
/** Whoever has moved a checkpoint is given a moment to take the lease, in ms. */
const yieldMs = 1_000

export interface ProjectorRole {
  /** the projector at work in this process; null while another process projects */
  readonly current: () => Projector | null
  /** Resolves with the error when projecting cannot go on, with null after `stop`. Never rejects. */
  readonly ended: Promise<Error | null>
  readonly stop: () => Promise<void>
}

/** Starts writing the read models in the one process that holds the log. */
export const projectAlone = (
  engines: Engines,
  log: Log,
): ProjectorRole & { readonly projector: Projector } => {
  const { eventStore, documents } = engines
  const projector = startProjector({ eventStore, documents, projections: allProjections, log, alone: true })
  return { projector, current: () => projector, ended: projector.ended, stop: projector.stop }
}

/**
 * Writes the read models while this process holds the lease, and waits for it while another does.
 * @param onStored called after something was stored
 */
export const projectByTurns = (engines: Engines, log: Log, onStored: () => void): ProjectorRole => {
  const { eventStore, documents, leases } = engines
  const stopping = new AbortController()
  const { signal } = stopping
  let current: Projector | null = null

  /** One turn: until the lease is lost, the process stops, or projecting fails. */
  const turn = async (): Promise<Error | null> => {
    const lease = await leases.acquire(projectorLease, signal)
    log.info({}, 'This process projects')
    const projector = startProjector({
      eventStore,
      documents,
      projections: allProjections,
      log,
      signal: AbortSignal.any([signal, lease.lost]),
    })
    projector.onChange(onStored)
    current = projector
    const error = await projector.ended
    current = null
    await lease.release()
    if (!signal.aborted) log.warn({ err: error }, 'This process projects no more; it waits for its turn')
    return error
  }

  const run = async (): Promise<Error | null> => {
    try {
      while (!signal.aborted) {
        const error = await turn()
        if (error !== null && !(error instanceof CheckpointMoved)) return error
        if (error !== null) await pause(yieldMs, undefined, { signal })
      }
    } catch (error) {
      if (!signal.aborted) return asError(error)
    }
    return null
  }

  const ended = run()
  return {
    current: () => current,
    ended,
    stop: async () => {
      stopping.abort(new Error('The server is stopping'))
      await ended
    },
  }
}
