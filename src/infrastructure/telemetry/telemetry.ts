import { context, diag, DiagLogLevel, type DiagLogger, logs, metrics, trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { traceBy } from '#application/kernel/traced.ts'
import { within } from '#application/kernel/within.ts'
import type { HearMeasurement } from '../metrics/recorder.ts'
import type { Rendering } from '../metrics/render.ts'
import { chosenIds } from './chosen-ids.ts'
import { sdkSettings, type TelemetrySettings } from './environment.ts'
import { recordOf } from './log-records.ts'
import { observeWith, recordWith } from './metrics.ts'
import { createTracer } from './tracer.ts'

/** How long the last of it may take to be sent at a stop, in ms. */
const lastWordMs = 3_000
/** What cannot be sent is told so often at most, in ms: each of the three signals fails every few seconds. */
const complaintEveryMs = 60_000

/** What goes out by OpenTelemetry. */
export interface Telemetry {
  /** takes each line of the log, as it was written */
  readonly write: (line: string) => void
  /** takes each measurement of the recorder */
  readonly hear: HearMeasurement
  /** Lets what a process tells at `/metrics` be read at each export. */
  readonly observe: (collect: Rendering['collect']) => Promise<void>
  /** Where it is said that nothing can be sent. */
  readonly complainTo: (log: Pick<Logger, 'warn'>) => void
  /** Sends what is left, for a moment, and ends. */
  readonly stop: () => Promise<void>
}

/** The SDK's own words, once in a while. */
const complaints = (log: Pick<Logger, 'warn'>): DiagLogger => {
  let last = Number.NEGATIVE_INFINITY
  const say = (message: string, ...details: readonly unknown[]): void => {
    if (performance.now() - last < complaintEveryMs) return
    last = performance.now()
    log.warn({ reason: [message, ...details].map(String).join(' ').slice(0, 500) }, complaint)
  }
  const pass = (): void => undefined
  return { error: say, warn: say, info: pass, debug: pass, verbose: pass }
}
const complaint = 'Telemetry cannot be sent (OTEL_EXPORTER_OTLP_ENDPOINT)'

/**
 * Starts the SDK of OpenTelemetry, and traces this process from now on. Every setting is read by the SDK itself, from the
 * environment.
 */
export const openTelemetry = (
  given: TelemetrySettings,
  version: string,
  roles: readonly string[],
): Telemetry => {
  Object.assign(process.env, sdkSettings(given, version, roles))
  const ids = chosenIds()
  const sdk = new NodeSDK({ idGenerator: ids })
  sdk.start()
  traceBy(createTracer(trace.getTracer('atelier', version), ids))
  const logger = logs.getLogger('atelier', version)
  const meter = metrics.getMeter('atelier', version)
  return {
    write: (line) => {
      const record = recordOf(line)
      // Sent as well it would be one more line that cannot be.
      if (record.body !== complaint) logger.emit({ ...record, context: context.active() })
    },
    hear: recordWith(meter),
    observe: (collect) => observeWith(meter, collect),
    complainTo: (log) => {
      // Asked for by its own setting, the SDK says more, on the console.
      if (given['OTEL_LOG_LEVEL'] === undefined) diag.setLogger(complaints(log), DiagLogLevel.WARN)
    },
    stop: async () => {
      traceBy(null)
      // What cannot be sent was told of; it must not keep the process.
      await within(sdk.shutdown(), lastWordMs, () => undefined).catch(() => undefined)
    },
  }
}
