import { TraceFlags, type SpanContext } from '@opentelemetry/api'

/*
 * The log stores a correlation with each event, and nothing of a trace. It is the request's id, a UUID: its sixteen bytes are
 * the trace's id, its last eight the id of the request's own span. An earlier version wrote the sender's trace id instead
 * where a request came with one, and behind it the span and the flags.
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
