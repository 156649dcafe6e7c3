import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer as SdkTracer,
} from '@opentelemetry/api'
import { StaleVersion } from '#application/kernel/execute.ts'
import type { Step, TraceOrigin, Tracer } from '#application/kernel/traced.ts'
import { Refusal } from '#domain/refusal.ts'
import { traceOf } from './carried.ts'
import type { ChosenIds } from './chosen-ids.ts'

/** The name of an error or the number of an answer: an error's words may hold what somebody wrote. */
const kindOf = (failure: unknown): string => {
  if (failure instanceof Error) return failure.name
  return typeof failure === 'number' ? String(failure) : typeof failure
}

/** An answer to a person, and no failure of the site. */
const isAnswer = (failure: unknown): boolean => failure instanceof Refusal || failure instanceof StaleVersion

const endSpan = (span: Span, { name, attributes, failure }: Parameters<Step['end']>[0] = {}): void => {
  if (name !== undefined) span.updateName(name)
  if (attributes !== undefined) span.setAttributes(attributes)
  if (failure !== undefined) {
    span.setAttribute('error.type', kindOf(failure))
    if (!isAnswer(failure)) span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

const stepOf = (span: Span, around: Context, correlationId: string | null = null): Step => {
  const inside = trace.setSpan(around, span)
  return {
    correlationId,
    within: (work) => context.with(inside, work),
    end: (how) => endSpan(span, how),
  }
}

/**
 * Begins spans of the SDK.
 * @param ids gives the SDK the ids of what a request's own id stands for
 */
export const createTracer = (sdk: SdkTracer, ids: ChosenIds): Tracer => {
  /** Whether the sampler keeps a trace, asked by a span that never ends and so is never sent. */
  const flagsOf = (begun: Pick<SpanContext, 'traceId' | 'spanId'>): number =>
    ids.use(begun, () => sdk.startSpan('sampled?', { root: true }, ROOT_CONTEXT)).spanContext().traceFlags

  /** The context of what a correlation stands for: what is at work where it is of that trace, else the request's span. */
  const parentOf = (correlationId: string): Context => {
    const active = context.active()
    const begun = traceOf(correlationId)
    if (begun === null || trace.getSpanContext(active)?.traceId === begun.traceId) return active
    const parent = { ...begun, traceFlags: begun.traceFlags ?? flagsOf(begun), isRemote: true }
    return trace.setSpanContext(active, parent)
  }

  const beginRequest = (
    name: string,
    attributes: Parameters<Tracer['begin']>[1],
    { requestId, headers }: Extract<TraceOrigin, { kind: 'request' }>,
  ): Step => {
    const sender = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers))
    const own = traceOf(requestId)
    // The sender is anybody: under his trace or his flags he would choose whether he is sampled.
    const options = {
      kind: SpanKind.SERVER,
      attributes,
      links: sender === undefined ? [] : [{ context: sender }],
    }
    const start = (): Span => sdk.startSpan(name, options, ROOT_CONTEXT)
    return stepOf(own === null ? start() : ids.use(own, start), ROOT_CONTEXT, requestId)
  }

  return {
    begin: (name, attributes, origin) => {
      if (origin.kind === 'request') return beginRequest(name, attributes, origin)
      const around = origin.kind === 'here' ? context.active() : parentOf(origin.correlationId)
      const sinceMs = origin.kind === 'here' ? undefined : origin.sinceMs
      const began = sinceMs === undefined ? {} : { startTime: Date.now() - sinceMs }
      return stepOf(sdk.startSpan(name, { attributes, ...began }, around), around)
    },
  }
}
