/** Ends what was started. */
export type Stop = () => void | Promise<void>

/**
 * Ends what was started, the last one first. It goes on where one fails to end.
 * @throws what the first of those threw that failed
 */
export const stopAll = async (started: readonly Stop[]): Promise<void> => {
  const failures: unknown[] = []
  for (const stop of started.toReversed()) {
    try {
      // One after the other: what was started later may use what was started before.
      await stop()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * Starts one thing after the other. When one cannot start, those that did are ended again, the last one first.
 * @returns how to end all of them, as {@link stopAll} does
 * @throws what the one that could not start threw
 */
export const startAll = async (
  starts: readonly (() => Stop | Promise<Stop>)[],
): Promise<() => Promise<void>> => {
  const stops: Stop[] = []
  try {
    for (const start of starts) stops.push(await start())
  } catch (error) {
    await stopAll(stops)
    throw error
  }
  return () => stopAll(stops)
}
