/**
 * Short words from one process to all others. They may be lost, come twice or be about what is long known: nobody relies on
 * them, they only shorten a wait.
 */
export interface Announcements {
  /** Never fails and never waits. */
  readonly announce: (words: string) => void
  /** Calls back with the words of others, and perhaps one's own. Answers how to stop it. */
  readonly onAnnounced: (listener: (words: string) => void) => () => void
}

/** In a process that is alone nobody has to be told. */
export const nobodyElse: Announcements = { announce: () => undefined, onAnnounced: () => () => undefined }
