import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import type { JobView } from '#application/kernel/ports/job-queue.ts'
import { shareWork } from '#application/kernel/sharing.ts'
import { atMost } from '#application/kernel/turns.ts'
import { bucketEnds, type Family, type Recorder } from './recorder.ts'

/** Makes a gauge by its short name. It tells nothing until it is set, and nothing again when the next scrape begins. */
export type MakeGauge = <Name extends string>(
  name: string,
  help: string,
  labelNames?: readonly Name[],
) => Gauge<Name>

/** What is asked of the engines at each scrape. */
export interface MetricSources {
  readonly views: () => Promise<
    readonly {
      readonly view: string
      readonly events: number
      readonly seconds: number
      readonly parked: number
    }[]
  >
  /** the views that this process leads */
  readonly leads: () => Promise<readonly string[]>
  /** jobs that are not done */
  readonly jobs: () => Promise<readonly JobView[]>
  /** what modules tell of themselves: makes their gauges, and says how each is asked, by the name of its source */
  readonly modules: (gauge: MakeGauge) => Readonly<Record<string, () => Promise<void>>>
  readonly freeBytes: () => Promise<number | null>
  /** whether this process could serve or work now */
  readonly ready: () => Promise<boolean>
  /** the last nightly backup, and when one was last restored for a look; null where none is to be made */
  readonly backup: () => Promise<{
    readonly finishedAt: string | null
    readonly error: string | null
    readonly check: { readonly at: string; readonly error: string | null } | null
  } | null>
}

/** A gauge or counter as it stands, of the process or asked of the engines. */
export interface CollectedMetric {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  readonly values: readonly Value[]
}

/** What a process tells of itself. */
export interface Rendering {
  readonly contentType: string
  /** Prometheus' text of it all. */
  readonly render: () => Promise<string>
  /** The same without what the recorder has measured, and without histograms. */
  readonly collect: () => Promise<readonly CollectedMetric[]>
}

interface Value {
  readonly labels: Readonly<Record<string, string | number | undefined>>
  readonly value: number
  readonly metricName?: string
}

/** A family of the recorder as prom-client takes metrics in. */
const metricOf = ({ name, help, kind, all }: Family): Metric => {
  const valuesOf = () =>
    [...all()].flatMap(({ labels, count, sum, buckets }): readonly Value[] => {
      if (kind === 'counter') return [{ labels, value: count }]
      let upTo = 0
      const cumulated = buckets.map((number, n) => {
        upTo += number
        return { labels: { ...labels, le: bucketEnds[n] ?? 0 }, value: upTo, metricName: `${name}_bucket` }
      })
      return [
        ...cumulated,
        { labels: { ...labels, le: '+Inf' }, value: count, metricName: `${name}_bucket` },
        { labels, value: sum, metricName: `${name}_sum` },
        { labels, value: count, metricName: `${name}_count` },
      ]
    })
  const metric = { name, help, get: async () => ({ name, help, type: kind, values: valuesOf() }) }
  // The registry asks for a name and `get`; its type names the classes of the package.
  return metric as unknown as Metric
}

const secondsOf = (time: string): number => Date.parse(time) / 1_000

/** What is asked of the engines, as gauges by the names of their meaning. */
const gaugesBy = (gauge: MakeGauge) => ({
  lagEvents: gauge('projection_lag_events', 'Events that a view does not show yet', ['view']),
  lagSeconds: gauge('projection_lag_seconds', 'Since the oldest of them occurred', ['view']),
  parkedEvents: gauge('parked_events', 'Events that a view goes on without until it is rebuilt', ['view']),
  projects: gauge('projects', '1 in a process that leads views, else 0'),
  leads: gauge('leads_view', '1 for each view that this process leads', ['view']),
  jobs: gauge('jobs', 'Jobs that are not done', ['job', 'state']),
  jobAge: gauge('job_overdue_seconds', 'How long the oldest job that could run has waited', ['job']),
  jobAttempts: gauge('job_attempts', 'Attempts that the jobs which are not done have had', ['job']),
  jobFailures: gauge('job_failing', 'Jobs whose last attempt failed, parked or waiting for another', ['job']),
  freeBytes: gauge('free_bytes', 'Room left where pictures and documents are kept, where that is known'),
  ready: gauge('ready', '1 when this process is ready, as /readyz tells it, else 0'),
  backupEnd: gauge(
    'backup_end_timestamp_seconds',
    'When the last nightly backup was finished; 0 before the first',
  ),
  backupOk: gauge('backup_ok', '1 when the last night went well, else 0'),
  backupCheckEnd: gauge('backup_check_timestamp_seconds', 'When a backup was last restored for a look'),
  backupCheckOk: gauge('backup_check_ok', '1 when nothing lacked in the last backup then, else 0'),
  failures: gauge('scrape_failures', '1 for what could not be asked', ['source']),
})
type Gauges = ReturnType<typeof gaugesBy>

/** Asks each source, and sets the gauges that tell of it. */
const askInto = (
  gauges: Gauges,
  sources: MetricSources,
  now: () => Date,
): Readonly<Record<Exclude<keyof MetricSources, 'modules'>, () => Promise<void>>> => ({
  views: async () => {
    for (const { view, events, seconds, parked } of await sources.views()) {
      gauges.lagEvents.set({ view }, events)
      gauges.lagSeconds.set({ view }, seconds)
      gauges.parkedEvents.set({ view }, parked)
    }
  },
  leads: async () => {
    const views = await sources.leads()
    gauges.projects.set(views.length > 0 ? 1 : 0)
    for (const view of views) gauges.leads.set({ view }, 1)
  },
  jobs: async () => {
    const at = now().getTime() / 1_000
    const overdue = new Map<string, number>()
    for (const { name: job, state, attempts, reason, runAt } of await sources.jobs()) {
      gauges.jobs.inc({ job, state })
      gauges.jobAttempts.inc({ job }, attempts)
      if (reason !== null) gauges.jobFailures.inc({ job })
      if (runAt !== null) overdue.set(job, Math.max(overdue.get(job) ?? 0, at - secondsOf(runAt)))
    }
    for (const [job, seconds] of overdue) gauges.jobAge.set({ job }, seconds)
  },
  freeBytes: async () => {
    const bytes = await sources.freeBytes()
    if (bytes !== null) gauges.freeBytes.set(bytes)
  },
  ready: async () => gauges.ready.set((await sources.ready()) ? 1 : 0),
  backup: async () => {
    const last = await sources.backup()
    if (last === null) return
    const { finishedAt, error, check } = last
    // Of a night that never was nobody knows how it went.
    if (finishedAt !== null || error !== null) gauges.backupOk.set(error === null ? 1 : 0)
    gauges.backupEnd.set(finishedAt === null ? 0 : secondsOf(finishedAt))
    if (check === null) return
    gauges.backupCheckEnd.set(secondsOf(check.at))
    // What was found in an older backup is not said of the last one.
    if (finishedAt === null || check.at >= finishedAt) gauges.backupCheckOk.set(check.error === null ? 1 : 0)
  },
})

/** Makes gauges of a registry, and has all of them forget what they tell. */
const gaugeMaker = (registry: Registry): { readonly gauge: MakeGauge; readonly forget: () => void } => {
  const forgets: (() => void)[] = []
  return {
    gauge: (name, help, labelNames = []) => {
      const made = new Gauge({ name: `atelier_${name}`, help, labelNames, registers: [registry] })
      // Without labels it would begin at 0, which would be told of what nobody knows.
      forgets.push(() => (labelNames.length > 0 ? made.reset() : made.remove()))
      return made
    },
    forget: () => forgets.forEach((each) => each()),
  }
}

/**
 * Makes what a process has measured, and how its engines stand, into Prometheus' text. An engine that does not
 * answer takes its own lines away, and is named in `atelier_scrape_failures`.
 */
export const createRendering = (recorder: Recorder, sources: MetricSources, now: () => Date): Rendering => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const each of recorder.families) registry.registerMetric(metricOf(each))
  const { gauge, forget } = gaugeMaker(registry)
  const gauges = gaugesBy(gauge)
  const asks = Object.entries({ ...askInto(gauges, sources, now), ...sources.modules(gauge) })

  const collectAll = async (): Promise<void> => {
    forget()
    await Promise.all(
      asks.map(async ([source, ask]) => {
        try {
          await ask()
        } catch {
          // The line says it to whoever watches; the engine's own trouble is in the log already.
          gauges.failures.set({ source }, 1)
        }
      }),
    )
  }
  const recorded = new Set(recorder.families.map(({ name }) => name))
  const inTurn = atMost(1)
  /** The gauges are the same for all who ask: one after the other. */
  const collected = <Answer>(tell: () => Promise<Answer>): Promise<Answer> =>
    inTurn(async () => {
      await collectAll()
      return tell()
    })
  const shared = shareWork<string>()
  return {
    contentType: registry.contentType,
    collect: () =>
      collected(async () =>
        (await registry.getMetricsAsJSON()).flatMap(({ name, help, type, values }) => {
          // prom-client says the type by its word, and its types by an enum of another value.
          const word = String(type)
          const isKept = (word === 'gauge' || word === 'counter') && !recorded.has(name)
          return isKept ? [{ name, help, type: word, values }] : []
        }),
      ),
    // Two scrapes at once share one: the gauges are the same.
    render: () => shared('scrape', () => collected(() => registry.metrics())),
  }
}
