import type { Position } from '#application/kernel/ports/event-store.ts'
import type { Projection } from './projection.ts'
import type { ProjectorLog, ViewChange } from './views.ts'

/** Who waits for the views to show a place of the log, and who wants to hear that they changed. */
export interface Audience {
  readonly isWaiting: () => boolean
  /** Whether somebody waits for one of these views. */
  readonly isWaitingFor: (view: string) => boolean
  /**
   * Resolves true once `show` tells that these views reach the position, false when all are sent away.
   * @param withinMs false after so long at the latest; waits without a bound unless given
   */
  readonly waitFor: (position: Position, views: readonly string[], withinMs?: number) => Promise<boolean>
  /** Answers those whose views have come to where they wait for. */
  readonly show: (placeOf: (view: string) => Position | null) => void
  /** Answers all who wait that it is not shown. */
  readonly sendAway: () => void
  /** Calls back with each `tell`. Answers how to stop it. */
  readonly onChange: (listener: (change: ViewChange) => void) => () => void
  /** Tells what people see as changed; a listener that fails is logged and keeps nobody else from hearing. */
  readonly tell: (changed: readonly Projection[], position: Position) => void
}

/** An audience of which nobody has come yet. */
export const openAudience = (log: Pick<ProjectorLog, 'error'>): Audience => {
  const waiters = new Map<
    (shown: boolean) => void,
    { readonly position: Position; readonly views: readonly string[] }
  >()
  const listeners = new Set<(change: ViewChange) => void>()
  const answer = (resolve: (shown: boolean) => void, shown: boolean): void => {
    waiters.delete(resolve)
    resolve(shown)
  }
  return {
    isWaiting: () => waiters.size > 0,
    isWaitingFor: (view) => waiters.values().some(({ views }) => views.includes(view)),
    waitFor: (position, views, withinMs) => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      waiters.set(resolve, { position, views })
      if (withinMs === undefined) return promise
      const timer = setTimeout(() => answer(resolve, false), withinMs)
      return promise.finally(() => clearTimeout(timer))
    },
    show: (placeOf) => {
      for (const [resolve, { position, views }] of waiters)
        if (views.every((view) => (placeOf(view) ?? '') >= position)) answer(resolve, true)
    },
    sendAway: () => {
      for (const resolve of waiters.keys()) answer(resolve, false)
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    tell: (changed, position) => {
      const models = [...new Set(changed.flatMap((projection) => projection.models))]
      if (models.length === 0) return
      for (const listener of listeners) {
        try {
          listener({ models, position })
        } catch (thrown) {
          log.error({ err: thrown }, 'A listener for changes failed')
        }
      }
    },
  }
}
