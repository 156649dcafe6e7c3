import { afterEach, describe, expect, it } from 'vitest'
import { beginStep, isTraced, type TraceOrigin, traceBy, traced } from './traced.ts'

afterEach(() => traceBy(null))

/** A tracer that writes down what it is told. */
const noting = (): readonly unknown[] => {
  const notes: unknown[] = []
  traceBy({
    begin: (name, attributes, origin) => {
      notes.push(['begin', name, attributes, origin])
      return {
        correlationId: null,
        within: (work) => {
          notes.push('within')
          return work()
        },
        end: (how) => void notes.push(['end', how]),
      }
    },
  })
  return notes
}

describe('a traced step', () => {
  it('only runs where nobody traces', async () => {
    expect(isTraced()).toBe(false)
    await expect(traced('append', {}, async () => 7)).resolves.toBe(7)
    const step = beginStep('request', {})
    expect(step.correlationId).toBeNull()
    expect(step.within(() => 'answer')).toBe('answer')
    step.end()
  })

  it('begins before the work, holds it, and ends behind it', async () => {
    const notes = noting()
    const origin: TraceOrigin = { kind: 'caused', correlationId: 'c' }
    await expect(traced('job', { attempt: 1 }, async () => 7, origin)).resolves.toBe(7)
    expect(notes).toEqual([['begin', 'job', { attempt: 1 }, origin], 'within', ['end', undefined]])
  })

  it('ends with what the work failed with, and lets it through', async () => {
    const notes = noting()
    const failure = new Error('away')
    await expect(traced('append', {}, async () => Promise.reject(failure))).rejects.toBe(failure)
    expect(notes.at(-1)).toEqual(['end', { failure }])
  })
})
