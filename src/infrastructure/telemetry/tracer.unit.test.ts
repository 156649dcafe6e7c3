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
const unsampled = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' }

describe('a trace', () => {
  it('is kept or left as a whole, also by who joins it later by its correlation', () => {
    const kept = Array.from({ length: 64 }, () => {
      ended.splice(0)
      const step = request(randomUUID())
      step.end()
      tracer()
        .begin('project', {}, { kind: 'caused', correlationId: step.correlationId ?? '' })
        .end()
      return ended.length
    })
    expect(new Set(kept)).toEqual(new Set([0, 2]))
  })

  it.each([
    ['kept', sampled, 2],
    ['left', unsampled, 0],
  ])('of a sender is %s as its flags say, by who joins it later too', (_, headers, spans) => {
    const step = request(randomUUID(), headers)
    step.end()
    tracer()
      .begin('project', {}, { kind: 'caused', correlationId: step.correlationId ?? '' })
      .end()
    expect(ended).toHaveLength(spans)
  })

  it('holds what runs in a step, and what belongs to it though it begins elsewhere', () => {
    const step = request(randomUUID(), sampled)
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
      ['GET', '00f067aa0ba902b7'],
    ])
    const [seconds = 0, nanoseconds = 0] = ended.at(2)?.duration ?? []
    expect(seconds * 1_000 + nanoseconds / 1e6).toBeGreaterThanOrEqual(49)
  })

  it('tells of a failure its kind and no word of it; a refusal is an answer', () => {
    const step = request(randomUUID(), sampled)
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
