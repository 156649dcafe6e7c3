import type { Actor } from '../kernel/ports/event-store.ts'

/** By this name the site takes in the images of a journal's posts. */
export const journalCopier = 'copy-journal-pictures'

/** Whether the site itself did something as it took in the images of a journal's posts. */
export const ofJournalCopier = (actor: Actor): boolean =>
  actor.kind === 'system' && actor.name === journalCopier
