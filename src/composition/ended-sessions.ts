import type { Sessions } from '#application/kernel/ports/sessions.ts'

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
