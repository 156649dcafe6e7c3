import { performance } from 'node:perf_hooks'

/** The value below which half (0.5) or another share of the samples lies. */
export const quantile = (samples: readonly number[], share: number): number => {
  const sorted = samples.toSorted((one, other) => one - other)
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (found === undefined) throw new Error('No samples to take a quantile of')
  return found
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

/** Runs `act` one after the other. @returns the time of each run in milliseconds */
export const timesOf = async (runs: number, act: (run: number) => unknown): Promise<number[]> => {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now()
    await act(run)
    times.push(performance.now() - start)
  }
  return times
}

/** Runs `act` `runs` times with `atOnce` under way at any moment. @returns runs per second */
export const perSecond = async (
  runs: number,
  atOnce: number,
  act: (run: number) => Promise<unknown>,
): Promise<number> => {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < runs) {
      const run = next
      next += 1
      await act(run)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: atOnce }, lane))
  return (runs / (performance.now() - start)) * 1000
}
