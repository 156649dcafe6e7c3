import shared from '@eventstore/db-client/generated/shared_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deserializeAnswer } from './event-answers.ts'

const { ReadResp } = messages
const { ReadEvent } = ReadResp
const whole = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
const events = fc.record({
  id: fc.uuid(),
  stream: fc.string({ minLength: 1, unit: 'grapheme' }),
  revision: whole,
  prepare: whole,
  commit: whole,
  headers: fc.dictionary(fc.string(), fc.string()),
  meta: fc.uint8Array(),
  data: fc.uint8Array(),
})

type Sent = typeof events extends fc.Arbitrary<infer Each> ? Each : never

/** The bytes of an answer as the server makes it. */
const sent = (event: Sent, id: InstanceType<typeof shared.UUID>): Buffer => {
  const record = new ReadEvent.RecordedEvent()
  record.setId(id)
  const stream = new shared.StreamIdentifier()
  stream.setStreamName(new Uint8Array(Buffer.from(event.stream)))
  record.setStreamIdentifier(stream)
  record.setStreamRevision(event.revision)
  record.setPreparePosition(event.prepare)
  record.setCommitPosition(event.commit)
  for (const [name, value] of Object.entries(event.headers)) record.getMetadataMap().set(name, value)
  record.setCustomMetadata(event.meta)
  record.setData(event.data)
  const read = new ReadEvent()
  read.setEvent(record)
  read.setCommitPosition(event.commit)
  const answer = new ReadResp()
  answer.setEvent(read)
  return Buffer.from(answer.serializeBinary())
}

type Answer = InstanceType<typeof ReadResp>

/** What the library asks of an answer with an event. */
const asked = (answer: Answer) => {
  const event = answer.getEvent()?.getEvent()
  return {
    there: [answer.hasEvent(), answer.getEvent()?.hasEvent(), answer.getEvent()?.hasLink()],
    hasId: event?.hasId(),
    id: event?.getId()?.getString(),
    structured: event?.getId()?.hasStructured(),
    stream:
      event?.hasStreamIdentifier() &&
      Buffer.from(event.getStreamIdentifier()?.getStreamName() ?? '').toString(),
    revision: event?.getStreamRevision(),
    prepare: event?.getPreparePosition(),
    commit: event?.getCommitPosition(),
    headers: event && [...event.getMetadataMap().entries()],
    meta: event && Buffer.from(event.getCustomMetadata_asU8()).toString('hex'),
    data: event && Buffer.from(event.getData_asU8()).toString('hex'),
  }
}

const ours = (bytes: Buffer): Answer => deserializeAnswer(bytes) as Answer // under the library's names

describe('an answer of the log', () => {
  it('says of its event what the library would read', () => {
    fc.assert(
      fc.property(events, (event) => {
        const id = new shared.UUID()
        id.setString(event.id)
        const bytes = sent(event, id)
        expect(asked(ours(bytes))).toEqual(asked(ReadResp.deserializeBinary(new Uint8Array(bytes))))
      }),
    )
  })

  it('is left to the library when it holds no event, or an id in another notation', () => {
    const caughtUp = new ReadResp()
    caughtUp.setCaughtUp(new ReadResp.CaughtUp())
    const answer = ours(Buffer.from(caughtUp.serializeBinary()))
    expect([answer.hasCaughtUp(), answer.hasEvent()]).toEqual([true, false])

    const structured = new shared.UUID.Structured()
    structured.setMostSignificantBits('7')
    const id = new shared.UUID()
    id.setStructured(structured)
    const [event] = fc.sample(events, 1)
    if (event === undefined) throw new Error('No event was made')
    expect(
      ours(sent(event, id)).getEvent()?.getEvent()?.getId()?.getStructured()?.getMostSignificantBits(),
    ).toBe('7')
  })

  it('that is cut off is refused', () => {
    const [event] = fc.sample(events, 1)
    if (event === undefined) throw new Error('No event was made')
    const id = new shared.UUID()
    id.setString(event.id)
    const bytes = sent({ ...event, data: new Uint8Array(40) }, id)
    expect(() => ours(bytes.subarray(0, bytes.length - 30))).toThrow('Invalid byte length')
  })
})
