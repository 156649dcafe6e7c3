import type { Engines } from '#infrastructure/engines.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { allProjections } from '#projections/all-projections.ts'
import { type Projector, startProjector } from '#projections/projector.ts'

/** Starts writing the read models, in the one process that holds the log (decisions 95). */
export const startProjectorRole = (engines: Engines, log: Log): Projector => {
  const { eventStore, documents } = engines
  return startProjector({ eventStore, documents, projections: allProjections, log })
}
