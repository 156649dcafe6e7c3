import { expect, test } from 'vitest'
import type { ImageEvent } from './events.ts'
import { imageDecider, type ImageCommand, imageStream } from './image.ts'
import { causes, given, refuses } from '../testing/decider-spec.ts'

const hash = 'ab'
const upload = {
  hash,
  format: 'jpeg',
  bytes: 1000,
  width: 1200,
  height: 800,
  placeholder: 'data:image/webp;base64,AA==',
  color: '#102030',
} as const
const record: ImageCommand = { type: 'RecordUpload', upload }
const uploaded: ImageEvent = { type: 'ImageUploaded', data: upload }
const variants = { widths: [400, 800], formats: ['avif', 'jpg'] } satisfies {
  widths: number[]
  formats: ('avif' | 'jpg')[]
}
const recordProcessed: ImageCommand = { type: 'RecordProcessed', hash, ...variants }
const processed: ImageEvent = { type: 'ImageProcessed', data: { hash, ...variants } }
const recordFailed: ImageCommand = { type: 'RecordProcessingFailed', hash, reason: 'Broken' }
const failed: ImageEvent = { type: 'ImageProcessingFailed', data: { hash, reason: 'Broken' } }
const discarded: ImageEvent = { type: 'ImageDiscarded', data: { hash } }

test('a picture has the stream of its content', () => {
  expect(imageStream(hash)).toBe('image-ab')
})

test('the same content is uploaded once', () => {
  expect(given(imageDecider).when(record)).toEqual(causes(uploaded))
  expect(given(imageDecider, uploaded).when(record)).toEqual(causes())
})

test.each([recordProcessed, recordFailed])(
  '$type is missing a picture that was never uploaded',
  (command) => {
    expect(given(imageDecider).when(command)).toMatchObject(refuses('missing'))
    expect(given(imageDecider).versionFor(command)).toBeNull()
  },
)

test('variants are recorded once, and again when they are others', () => {
  expect(given(imageDecider, uploaded).when(recordProcessed)).toEqual(causes(processed))
  const ready = given(imageDecider, uploaded, processed)
  expect(ready.when(recordProcessed)).toEqual(causes())
  expect(ready.when({ ...recordProcessed, widths: [400, 800, 1200] })).toHaveProperty('events.length', 1)
  expect(ready.when({ ...recordProcessed, widths: [400, 900] })).toHaveProperty('events.length', 1)
  expect(ready.when({ ...recordProcessed, formats: ['webp', 'jpg'] })).toHaveProperty('events.length', 1)
})

test('variants that were asked for anew are recorded, also where they are the same: the log says that it is done', () => {
  const requested: ImageEvent = { type: 'ImageReprocessingRequested', data: { hash } }
  const asked = given(imageDecider, uploaded, processed, requested)
  expect(asked.when(recordProcessed)).toEqual(causes(processed))
  expect(given(imageDecider, uploaded, processed, requested, processed).when(recordProcessed)).toEqual(
    causes(),
  )
  expect(
    given(imageDecider, uploaded, processed, requested, discarded, uploaded, processed).when(recordProcessed),
  ).toEqual(causes())
})

test('a failure is told once for one reason, and processing may be tried again', () => {
  expect(given(imageDecider, uploaded).when(recordFailed)).toEqual(causes(failed))
  const broken = given(imageDecider, uploaded, failed)
  expect(broken.when(recordFailed)).toEqual(causes())
  expect(broken.when({ ...recordFailed, reason: 'Disk full' })).toHaveProperty('events.length', 1)
  expect(broken.when(recordProcessed)).toEqual(causes(processed))
  expect(given(imageDecider, uploaded, failed, processed).state.failure).toBeNull()
})

test('a failure of a later run takes nothing away from variants that exist', () => {
  expect(given(imageDecider, uploaded, processed).when(recordFailed)).toEqual(causes())
})

test('the version counts what happened to it', () => {
  expect(given(imageDecider, uploaded, failed, processed).versionFor(record)).toBe(3)
})

test('a picture that nothing used is discarded once, and is missing until it is uploaded again', () => {
  expect(given(imageDecider).when({ type: 'Discard', hash })).toEqual(causes())
  expect(given(imageDecider, uploaded, processed).when({ type: 'Discard', hash })).toEqual(causes(discarded))
  const gone = given(imageDecider, uploaded, processed, discarded)
  expect(gone.when({ type: 'Discard', hash })).toEqual(causes())
  expect(gone.when(recordProcessed)).toMatchObject(refuses('missing'))
  expect(gone.when({ type: 'RequestReprocessing', hash })).toMatchObject(refuses('missing'))
  expect(gone.versionFor(record)).toBeNull()
  expect(gone.when(record)).toEqual(causes(uploaded))
  // Its variants went with the rest, so they are made and told again.
  expect(given(imageDecider, uploaded, processed, discarded, uploaded).when(recordProcessed)).toEqual(
    causes(processed),
  )
})

test('a discard is taken back as the upload it was', () => {
  expect(given(imageDecider, uploaded, discarded).when({ type: 'Reclaim', hash })).toEqual(causes(uploaded))
  expect(given(imageDecider, uploaded).when({ type: 'Reclaim', hash })).toEqual(causes())
  expect(given(imageDecider).when({ type: 'Reclaim', hash })).toEqual(causes())
})

test('every asking for new variants is a new event', () => {
  const ask: ImageCommand = { type: 'RequestReprocessing', hash }
  const asked: ImageEvent = { type: 'ImageReprocessingRequested', data: { hash } }
  expect(given(imageDecider).when(ask)).toMatchObject(refuses('missing'))
  expect(given(imageDecider, uploaded, processed).when(ask)).toEqual(causes(asked))
  expect(given(imageDecider, uploaded, processed, asked).when(ask)).toEqual(causes(asked))
})
