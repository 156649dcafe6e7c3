import { randomBytes } from 'node:crypto'

interface Ids {
  readonly traceId: string
  readonly spanId: string
}

/** Makes the SDK's ids at random, but for a span that is to have chosen ones. */
export interface ChosenIds {
  readonly generateTraceId: () => string
  readonly generateSpanId: () => string
  /** Runs what begins one span, at once, with these ids. */
  readonly use: <Result>(ids: Ids, begin: () => Result) => Result
}

export const chosenIds = (): ChosenIds => {
  let chosen: Ids | null = null
  return {
    generateTraceId: () => chosen?.traceId ?? randomBytes(16).toString('hex'),
    generateSpanId: () => chosen?.spanId ?? randomBytes(8).toString('hex'),
    use: (ids, begin) => {
      chosen = ids
      try {
        return begin()
      } finally {
        chosen = null
      }
    },
  }
}
