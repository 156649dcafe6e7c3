import type { Announcements } from '#application/kernel/ports/announcements.ts'
import type { Sessions } from '#application/kernel/ports/sessions.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'

/** The sessions as an operator's command ends them in a running site. @param ended is told of it, behind that */
export const tellingOfEnds = (sessions: Sessions, ended: () => void): Sessions => ({
  ...sessions,
  removeById: async (...given) => {
    const isEnded = await sessions.removeById(...given)
    if (isEnded) ended()
    return isEnded
  },
  removeOthers: async (...given) => {
    const count = await sessions.removeOthers(...given)
    if (count > 0) ended()
    return count
  },
})

/** What is announced to all processes; no view has this name. */
const words = 'sessions-ended'

/** The engines, with the end of sessions announced to every process that keeps streams open for them. */
export const announcingEnds = <E extends Pick<Engines, 'sessions' | 'announcements'>>(engines: E): E => ({
  ...engines,
  sessions: tellingOfEnds(engines.sessions, () => engines.announcements.announce(words)),
})

/** Calls back when another process has ended sessions. @returns what stops it */
export const onEndsElsewhere = (announcements: Announcements, look: () => void): (() => void) =>
  announcements.onAnnounced((announced) => {
    if (announced === words) look()
  })
