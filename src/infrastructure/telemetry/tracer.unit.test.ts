import { randomUUID } from 'node:crypto'
import { trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '#domain/refusal.ts'
import { chosenIds } from './chosen-ids.ts'
import { createTracer } from './tracer.ts'

type Processor = NonNullable<NonNullable<ConstructorParameters<typeof NodeSDK>[0]>['spanProcessors']>[number]
type Ended = Parameters<Processor['onEnd']>[0]

const ended: Ended[] = []
const ids = chosenIds()
let sdk: NodeSDK

beforeAll(() => {
  process.env['OTEL_TRACES_SAMPLER'] = 'parentbased_traceidratio'
  process.env['OTEL_TRACES_SAMPLER_ARG'] = '0.5'
  sdk = new NodeSDK({
    idGenerator: ids,
    metricReaders: [],
    logRecordProcessors: [],
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: (span) => void ended.push(span),
        forceFlush: async () => undefined,
        shutdown: async () => undefined,
      },
    ],
  })
  sdk.start()
})
beforeEach(() => ended.splice(0))
afterAll(() => sdk.shutdown())

const tracer = () => createTracer(trace.getTracer('test'), ids)
const request = (requestId: string, headers = {}) =>
  tracer().begin('GET', {}, { kind: 'request', requestId, headers })
const sampled = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
/** One that the sampler keeps: its four words, one over the other, are below half of what there is. */
const kept = '00000000-0000-4000-8000-000080000001'
const ids64 = Array.from({ length: 64 }, () => randomUUID())
const unsampled = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' }

describe('a trace', () => {
  it('is kept or left as a whole, also by who joins it later by its correlation', () => {
    const spans = Array.from({ length: 64 }, () => {
      ended.splice(0)
      const step = request(randomUUID())
      step.end()
      tracer()
        .begin('project', {}, { kind: 'caused', correlationId: step.correlationId ?? '' })
        .end()
      return ended.length
    })
    expect(new Set(spans)).toEqual(new Set([0, 2]))
  })

  it('is kept or left by the site alone, whatever its sender says, and names him', () => {
    const ends = (headers: object) =>
      ids64.map((id) => {
        ended.splice(0)
        request(id, headers).end()
        return ended.map(({ links }) => links.map(({ context }) => context.traceId))
      })
    const sent = ends(sampled)
    expect(ends(unsampled)).toEqual(sent)
    expect(ends({}).map(({ length }) => length)).toEqual(sent.map(({ length }) => length))
    expect(sent.filter(({ length }) => length === 1)).not.toEqual([])
    expect(sent.filter(({ length }) => length === 0)).not.toEqual([])
    expect(new Set(sent.flat(2))).toEqual(new Set(['4bf92f3577b34da6a3ce929d0e0e4736']))
  })

  it('holds what runs in a step, and what belongs to it though it begins elsewhere', () => {
    const step = request(kept)
    const correlationId = step.correlationId ?? ''
    step.within(() => {
      tracer().begin('append', {}, { kind: 'here' }).end()
      tracer().begin('command', {}, { kind: 'caused', correlationId }).end()
    })
    tracer().begin('job', {}, { kind: 'caused', correlationId, sinceMs: 50 }).end()
    step.end()
    const root = ended.at(-1)?.spanContext().spanId
    expect(ended.map(({ name, parentSpanContext }) => [name, parentSpanContext?.spanId])).toEqual([
      ['append', root],
      ['command', root],
      ['job', root],
      ['GET', undefined],
    ])
    const [seconds = 0, nanoseconds = 0] = ended.at(2)?.duration ?? []
    expect(seconds * 1_000 + nanoseconds / 1e6).toBeGreaterThanOrEqual(49)
  })

  it('tells of a failure its kind and no word of it; a refusal is an answer', () => {
    const step = request(kept)
    step.within(() => {
      tracer()
        .begin('one', {}, { kind: 'here' })
        .end({ failure: new TypeError('Ravi') })
      tracer()
        .begin('two', {}, { kind: 'here' })
        .end({ failure: new Refusal('invalid', 'Ravi') })
    })
    step.end({ name: 'GET page', attributes: { 'http.response.status_code': 503 }, failure: 503 })
    expect(
      ended.map(({ name, attributes, status }) => [name, attributes['error.type'], status.code]),
    ).toEqual([
      ['one', 'TypeError', 2],
      ['two', 'Refusal', 0],
      ['GET page', '503', 2],
    ])
    expect(
      JSON.stringify(ended.map(({ attributes, events, status }) => [attributes, events, status])),
    ).not.toContain('Ravi')
  })
})
