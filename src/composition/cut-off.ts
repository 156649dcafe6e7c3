/**
 * Whoever follows the views hears of the documents this often at least, in ms. What others tell sooner may have been stored
 * just before these fell silent for everybody.
 */
const surelyHeardEveryMs = 500
/**
 * One that stood still as these fell silent tells late what it stored before, all at once. Whoever goes on storing tells again
 * later, if only that a view has passed over what was written (roles/projector.ts).
 */
const goesOnForMs = 250
/** For so long a page waits for documents that are silent as well. */
const waitedForMs = 1_000

/**
 * Whether this process alone is cut off the documents: others go on telling that they store views there, and here nothing is heard.
 * What an older page shows may be hidden or sold by now.
 * @param heardAt when the documents answered here last, on the clock of `now`
 */
export const noteCutOff = (heardAt: () => number, now: () => number = () => performance.now()) => {
  /** when others told of the first and the last thing that they stored in this silence */
  let first = Number.NEGATIVE_INFINITY
  let last = first
  const isSilent = (): boolean => first > heardAt()
  return {
    /** Another process has stored a view. */
    storedElsewhere: (): void => {
      if (!isSilent() && now() > heardAt() + surelyHeardEveryMs) first = now()
      last = now()
    },
    isCutOff: (): boolean => isSilent() && last > first + goesOnForMs && now() > first + waitedForMs,
  }
}
