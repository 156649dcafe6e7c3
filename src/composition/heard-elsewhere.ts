import type { Announcements } from '#application/kernel/ports/announcements.ts'

/**
 * Whoever follows the views hears of the documents this often at least, in ms, and a little more. What is announced
 * sooner may have been stored just before they fell silent for everybody.
 */
const surelyHeardEveryMs = 500

/**
 * When the documents answered last. Others who store in them what is shown here, while they are silent here, show that only this
 * process is cut off: until it hears of them again itself they count as answering, for what an older page shows may be
 * hidden or sold by now.
 * @param views that are shown
 * @param now the clock of `heardAt`
 */
export const heardElsewhere = (
  engines: { readonly announcements: Announcements; readonly heardAt: () => number },
  views: readonly string[],
  now: () => number = () => performance.now(),
): { readonly heardAt: () => number; readonly stop: () => void } => {
  const { announcements, heardAt } = engines
  let storedAt = Number.NEGATIVE_INFINITY
  const stop = announcements.onAnnounced((words) => {
    const [, view = ''] = words.split(' ')
    if (views.includes(view) && now() > heardAt() + surelyHeardEveryMs) storedAt = now()
  })
  return { heardAt: () => (storedAt > heardAt() ? now() : heardAt()), stop }
}
