import type { CommandMeasured } from '#application/kernel/execute.ts'

/** Upper ends of the buckets in seconds: from a page out of memory to a command that retries conflicts. */
export const bucketEnds: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

export type Labels = Readonly<Record<string, string>>

/** What was measured under the same labels. */
interface Series {
  readonly labels: Labels
  count: number
  /** seconds; 0 where only the number counts */
  sum: number
  /** how many fell into each bucket of {@link bucketEnds} and no lower one; what was longer is in none */
  readonly buckets: number[]
}

/** Measurements of one kind, by their labels. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly kind: 'counter' | 'histogram'
  readonly all: () => Iterable<Series>
}

/** Hears of each measurement as it is made; seconds are 0 where only the number counts. */
export type HearMeasurement = (
  family: Pick<Family, 'name' | 'help' | 'kind'>,
  labels: Labels,
  seconds: number,
) => void

/** Past so many different labels nothing new is kept: a mistake in a label must not eat the memory. */
const mostSeries = 1_000

const family = <Name extends string>(
  name: string,
  help: string,
  kind: Family['kind'],
  labelNames: readonly Name[],
  hear: HearMeasurement | null,
) => {
  const series = new Map<string, Series>()
  return {
    name,
    help,
    kind,
    all: () => series.values(),
    add: (values: readonly string[], seconds = 0): void => {
      const key = values.join('\n')
      let found = series.get(key)
      if (found === undefined) {
        if (series.size >= mostSeries) return
        const labels = Object.fromEntries(labelNames.map((label, n) => [label, values[n] ?? '']))
        found = { labels, count: 0, sum: 0, buckets: bucketEnds.map(() => 0) }
        series.set(key, found)
      }
      found.count += 1
      found.sum += seconds
      const bucket = bucketEnds.findIndex((end) => seconds <= end)
      if (bucket >= 0) found.buckets[bucket] = (found.buckets[bucket] ?? 0) + 1
      hear?.({ name, help, kind }, found.labels, seconds)
    },
  }
}

/** Where a process keeps what it has measured since its start. A few numbers; nothing is loaded for it. */
export interface Recorder {
  readonly request: (request: {
    readonly method: string
    readonly route: string
    readonly status: number
    readonly ms: number
  }) => void
  readonly command: (command: CommandMeasured) => void
  readonly job: (job: { readonly name: string; readonly result: string; readonly ms: number }) => void
  readonly families: readonly Family[]
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])

/** @param hear hears of each measurement beside; null: nobody does */
export const createRecorder = (hear: HearMeasurement | null = null): Recorder => {
  const requests = family(
    'atelier_http_request_duration_seconds',
    'Requests by route and status',
    'histogram',
    ['method', 'route', 'status'],
    hear,
  )
  const commands = family(
    'atelier_command_duration_seconds',
    'Commands from loading the stream to the append on the disk',
    'histogram',
    ['command', 'result'],
    hear,
  )
  const conflicts = family(
    'atelier_append_conflicts_total',
    'Appends that another writer overtook; the command was decided anew',
    'counter',
    ['command'],
    hear,
  )
  const jobs = family(
    'atelier_job_duration_seconds',
    'Attempts of background jobs',
    'histogram',
    ['job', 'result'],
    hear,
  )
  return {
    request: ({ method, route, status, ms }) =>
      requests.add([methods.has(method) ? method : 'other', route, String(status)], ms / 1_000),
    command: ({ type, result, conflicts: times, ms }) => {
      commands.add([type, result], ms / 1_000)
      for (let n = 0; n < times; n += 1) conflicts.add([type])
    },
    job: ({ name, result, ms }) => jobs.add([name, result], ms / 1_000),
    families: [requests, commands, conflicts, jobs],
  }
}
