/** Ends what was started. */
export type Stop = () => void | Promise<void>

/**
 * Starts one thing after the other. When one cannot start, those that did are ended again, the last one first.
 * @returns how to end all of them, the last one first; it goes on where one fails to end, and throws its error
 * @throws what the one that could not start threw
 */
export const startAll = async (
  starts: readonly (() => Stop | Promise<Stop>)[],
): Promise<() => Promise<void>> => {
  const stops: Stop[] = []
  const stopAll = async (): Promise<void> => {
    const failures: unknown[] = []
    for (const stop of stops.toReversed()) {
      try {
        // One after the other: what was started later may use what was started before.
        await stop()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
  try {
    for (const start of starts) stops.push(await start())
  } catch (error) {
    await stopAll()
    throw error
  }
  return stopAll
}
