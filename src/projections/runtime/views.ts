import type { Logger } from '#application/kernel/ports/logger.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { ReadModels } from '#application/kernel/ports/read-models.ts'
import type { Lag } from './lag.ts'
import type { ViewsAstray } from './astray.ts'
import type { ProjectedModel } from '../models.ts'

/** What those who keep or follow views need of a logger; pino fits. */
export interface ProjectorLog extends Logger {
  /** for what is of interest only to whoever looks for a fault */
  readonly debug?: Logger['info']
  readonly isLevelEnabled?: (level: string) => boolean
}

/** What people see as changed, and up to where. */
export interface ViewChange {
  readonly models: readonly ProjectedModel[]
  readonly position: Position
}

/** `astray`: the views tell of more than the log has; nothing is projected until that is mended. */
export type ProjectorPhase = 'catching-up' | 'live' | 'astray' | 'stopped' | 'failed'

/** How far the views are behind the log, asked of the log itself. */
interface ProjectorLag extends Lag {
  readonly state: ProjectorPhase
  /** why an engine call is being repeated, or why the projector failed; null while all is well */
  readonly trouble: string | null
}

/** What a process knows of the read models, whoever writes them. */
export interface Views extends ReadModels {
  /**
   * Resolves once every event that was in the log at the start is shown; rejects when whoever
   * keeps or follows the views ends before.
   */
  readonly ready: Promise<void>
  /** Calls back after documents changed and can be read. Answers how to stop it. */
  readonly onChange: (listener: (change: ViewChange) => void) => () => void
  /** The place up to which every view shows the log, as far as it is known; null before the first. */
  readonly shownTo: () => Position | null
  /** What keeps commands from being carried out: the views are ahead of the log; null while they are not. */
  readonly astray: () => ViewsAstray | null
  /** @throws {EngineAway} when an engine does not answer */
  readonly lag: () => Promise<ProjectorLag>
}
