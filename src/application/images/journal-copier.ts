import type { EventMeta } from '../kernel/ports/event-store.ts'

/** By this name the site takes in the images of a journal's posts. */
export const journalCopier = 'copy-journal-pictures'

/**
 * Whether the site itself did something as it took in the images of a journal's posts.
 * @param meta of an event, or of the command; of one that has rotted nobody knows who did it
 */
export const ofJournalCopier = ({ actor }: Partial<Pick<EventMeta, 'actor'>>): boolean =>
  actor?.kind === 'system' && actor.name === journalCopier
