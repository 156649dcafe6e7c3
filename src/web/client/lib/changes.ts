/**
 * Which lists have changed, as the server says. The script in the page hears it (`inline/change-stream.ts`), from
 * before the program is there until the page goes; the program is told.
 */
import type { ChangedModel } from '#web/contract/changes.ts'

/** @param shownTo the position in the log up to which they show it */
export type ChangeListener = (models: readonly ChangedModel[], shownTo: string) => void
/** While there is one of the `dashboard`, those of the `page` that it covers are not called; a `save` waits by itself. */
export type ListensFor = 'page' | 'dashboard' | 'save'

export type ChangeStream = {
  readonly onChanges: (listener: ChangeListener, place: ListensFor) => () => void
  readonly onOpened: (listener: () => void) => () => void
  readonly reopen: () => void
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- it is added to the browser's own
  interface Window {
    atelierChanges: ChangeStream
    /** Files of the program are gone, because the site was renewed: the script in the page loads it again where nobody uses it. */
    atelierOutdated: () => void
  }
}

/** Calls `listener` with the models that have changed, until the returned function is called. */
export const onChanges = (listener: ChangeListener, place: ListensFor): (() => void) =>
  window.atelierChanges.onChanges(listener, place)

/**
 * Calls `listener` whenever this browser's stream was opened anew: a stream ends with its session, and the next one is a
 * visitor's. Not after a login or log-out of this tab, which knows who is signed in.
 */
export const onStreamOpened = (listener: () => void): (() => void) => window.atelierChanges.onOpened(listener)

/** After login and log-out: a stream hears what its session may hear, so all tabs' stream begins anew. */
export const reopenChanges = (): void => window.atelierChanges.reopen()
