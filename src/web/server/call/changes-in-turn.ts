import { onePerKey } from '#application/kernel/turns.ts'

/** So long a change waits for those of the same thing, in ms: by then its session may have ended, and others wait behind it. */
const changeWithinMs = 20_000

/**
 * Makes the changes of a thing in the order they came: one that waits for the image of a slow host is not to be made over
 * what was saved behind it.
 * @returns what takes a change in under the thing's id, as {@link onePerKey} does; throws {@link EngineAway} after 20 s
 */
export const changesInTurn = (): ReturnType<typeof onePerKey> => onePerKey(changeWithinMs)
