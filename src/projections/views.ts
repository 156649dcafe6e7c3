import type { ReadModels } from '#application/ports/read-models.ts'
import type { ProjectorLag, ViewChange } from '#projections/projector.ts'

/** What a process knows of the read models, whoever writes them. */
export interface Views extends ReadModels {
  /** Resolves once every event that was in the log at the start is shown (decisions 60). */
  readonly ready: Promise<void>
  /** Calls back after documents changed and can be read. Answers how to stop it. */
  readonly onChange: (listener: (change: ViewChange) => void) => () => void
  /** @throws {EngineAway} when an engine does not answer */
  readonly lag: () => Promise<ProjectorLag>
}
