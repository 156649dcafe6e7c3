import type { BatchObservableCallback, Meter, Observable } from '@opentelemetry/api'
import { bucketEnds, type HearMeasurement, type Labels } from '../metrics/recorder.ts'
import type { CollectedMetric } from '../metrics/render.ts'

type Take = (seconds: number, labels: Labels) => void

/** An instrument of the SDK for what this process measures itself. */
const instrumentOf = (meter: Meter, { name, help, kind }: Parameters<HearMeasurement>[0]): Take => {
  if (kind === 'counter') {
    const counter = meter.createCounter(name, { description: help })
    return (_, labels) => counter.add(1, labels)
  }
  const histogram = meter.createHistogram(name, {
    description: help,
    unit: 's',
    advice: { explicitBucketBoundaries: [...bucketEnds] },
  })
  return (seconds, labels) => histogram.record(seconds, labels)
}

/** Gives the SDK each measurement of the recorder. */
export const recordWith = (meter: Meter): HearMeasurement => {
  const instruments = new Map<string, Take>()
  return (family, labels, seconds) => {
    const take = instruments.get(family.name) ?? instrumentOf(meter, family)
    instruments.set(family.name, take)
    take(seconds, labels)
  }
}

/**
 * Lets the SDK read, at each of its exports, what is asked of the engines and of the process: what `/metrics` tells, under
 * the same names.
 */
export const observeWith = async (
  meter: Meter,
  collect: () => Promise<readonly CollectedMetric[]>,
): Promise<void> => {
  const instruments = new Map<string, Observable>()
  for (const { name, help: description, type } of await collect()) {
    const options = { description }
    instruments.set(
      name,
      type === 'gauge'
        ? meter.createObservableGauge(name, options)
        : meter.createObservableCounter(name, options),
    )
  }
  const observe: BatchObservableCallback = async (result) => {
    for (const { name, values } of await collect()) {
      const instrument = instruments.get(name)
      if (instrument === undefined) continue
      for (const { labels, value } of values) {
        // Of what nothing was measured since it was asked last, such as the delays of the event loop, there is no number.
        if (Number.isFinite(value)) result.observe(instrument, value, labels)
      }
    }
  }
  meter.addBatchObservableCallback(observe, [...instruments.values()])
}
