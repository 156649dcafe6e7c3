import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import protobuf, { type BinaryReader } from 'google-protobuf'

/** An event as the server sends it. */
interface SentEvent {
  id: string
  stream: string
  revision: string
  prepare: string
  commit: string
  readonly headers: Map<string, string>
  meta: Uint8Array
  data: Uint8Array
}

type Take = (event: SentEvent, reader: BinaryReader) => void

/** Reads the fields of a message that have these numbers, and passes over all others. */
const fields =
  (known: Readonly<Record<number, Take>>): Take =>
  (event, reader) => {
    while (reader.nextField()) {
      const take = known[reader.getFieldNumber()]
      if (take) take(event, reader)
      else reader.skipField()
    }
  }

const message = (known: Readonly<Record<number, Take>>): Take => {
  const take = fields(known)
  return (event, reader) => reader.readMessage(event, take)
}

const takeHeader: Take = ({ headers }, reader) => {
  let name = ''
  while (reader.nextField()) {
    if (reader.getFieldNumber() === 1) name = reader.readString()
    else headers.set(name, reader.readString())
  }
}

// The numbers are those of `ReadResp` in the server's `streams.proto`.
const takeRecord = message({
  1: message({
    2: (event, reader) => {
      event.id = reader.readString()
    },
  }),
  2: message({
    3: (event, reader) => {
      event.stream = reader.readString()
    },
  }),
  3: (event, reader) => {
    event.revision = reader.readUint64String()
  },
  4: (event, reader) => {
    event.prepare = reader.readUint64String()
  },
  5: (event, reader) => {
    event.commit = reader.readUint64String()
  },
  6: (event, reader) => reader.readMessage(event, takeHeader),
  7: (event, reader) => {
    event.meta = reader.readBytes()
  },
  8: (event, reader) => {
    event.data = reader.readBytes()
  },
})
const takeAnswer = fields({ 1: message({ 1: takeRecord }) })

const none = new Uint8Array()
const yes = (): boolean => true
const no = (): boolean => false

/** The answer, and in the same object what lies in it, under the names by which the library asks for it. */
const asAnswer = (event: SentEvent) => {
  const answer = {
    hasEvent: yes,
    getEvent: () => answer,
    hasLink: no,
    hasCommitPosition: no,
    hasId: yes,
    getId: () => answer,
    hasStructured: no,
    getString: () => event.id,
    hasStreamIdentifier: yes,
    getStreamIdentifier: () => answer,
    getStreamName: () => event.stream,
    getStreamRevision: () => event.revision,
    getPreparePosition: () => event.prepare,
    getCommitPosition: () => event.commit,
    getMetadataMap: () => event.headers,
    getCustomMetadata_asU8: () => event.meta,
    getData: () => event.data,
    getData_asU8: () => event.data,
  }
  return answer
}

const { path, requestSerialize, responseDeserialize } = streams.StreamsService.read

/**
 * An answer of a read or a subscription. For each event the library makes ten objects that could be changed and written
 * again, a third of all the time that reading the log takes. An answer without an event, or with an id in another notation,
 * is left to it; links are never asked for.
 */
export const deserializeAnswer = (bytes: Buffer): unknown => {
  const event: SentEvent = {
    id: '',
    stream: '',
    revision: '0',
    prepare: '0',
    commit: '0',
    headers: new Map(),
    meta: none,
    data: none,
  }
  takeAnswer(event, new protobuf.BinaryReader(bytes))
  return event.id === '' ? responseDeserialize(bytes) : asAnswer(event)
}

interface Reading {
  readonly makeServerStreamRequest: (...given: unknown[]) => unknown
}

/** Has every client of the library read events in the short way. To be called once, before the first client is made. */
export const readEventsShortly = (): void => {
  // Made by gRPC at run time: a plain object of functions, whatever its types say.
  const prototype = streams.StreamsClient.prototype as unknown as {
    read: (this: Reading, ...given: unknown[]) => unknown
  }
  prototype.read = function (...given) {
    return this.makeServerStreamRequest(path, requestSerialize, deserializeAnswer, ...given)
  }
}
