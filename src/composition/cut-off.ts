/**
 * Whoever follows the views hears of the documents this often at least, in ms. What others tell sooner may have been stored
 * just before these fell silent for everybody.
 */
const surelyHeardEveryMs = 500
/** For so long a page waits for documents that are silent as well. */
const waitedForMs = 1_000

/**
 * Whether this process alone is cut off the documents: others have told that they stored views there, and here nothing is heard.
 * What an older page shows may be hidden or sold by now.
 * @param heardAt when the documents answered here last, on the clock of `now`
 */
export const noteCutOff = (heardAt: () => number, now: () => number = () => performance.now()) => {
  /** when others told of the first thing that they stored in this silence */
  let since = Number.NEGATIVE_INFINITY
  const isSilent = (): boolean => since > heardAt()
  return {
    /** Another process has stored a view. */
    storedElsewhere: (): void => {
      if (!isSilent() && now() > heardAt() + surelyHeardEveryMs) since = now()
    },
    isCutOff: (): boolean => isSilent() && now() > since + waitedForMs,
  }
}
