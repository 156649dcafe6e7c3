import { TraceFlags, type SpanContext } from '@opentelemetry/api'

/*
 * The log stores a correlation with each event, and nothing of a trace. Of a request that came without a trace it is the
 * request's id, a UUID: its sixteen bytes are the trace's id, its last eight the id of the request's own span. Of a request
 * that came with one it is the sender's trace id written as a UUID, and behind it the span and the flags.
 */
const carried = /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})(?:-([\da-f]{16})-([\da-f]{2}))?$/

/** The trace that a correlation stands for; null for one that is a word. */
export const traceOf = (
  correlationId: string,
): (Pick<SpanContext, 'traceId' | 'spanId'> & { readonly traceFlags: TraceFlags | null }) | null => {
  const found = carried.exec(correlationId)
  const [, uuid, span, flags] = found ?? []
  if (uuid === undefined) return null
  const traceId = uuid.replaceAll('-', '')
  const spanId = span ?? traceId.slice(16)
  return {
    traceId,
    spanId,
    traceFlags: flags === undefined ? null : Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
  }
}

/** The correlation of a request that goes on with the trace of its sender. */
export const correlationOf = ({ traceId, spanId, traceFlags }: SpanContext): string => {
  const uuid = traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return `${uuid}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}
