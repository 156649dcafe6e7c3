/** What runs until it is stopped; stopping waits for its end. */
export const untilStopped = <End>(
  run: (signal: AbortSignal) => Promise<End>,
): { readonly ended: Promise<End>; readonly stop: () => Promise<void> } => {
  const stopping = new AbortController()
  const ended = run(stopping.signal)
  return {
    ended,
    stop: async () => {
      stopping.abort(new Error('The server is stopping'))
      await ended
    },
  }
}
