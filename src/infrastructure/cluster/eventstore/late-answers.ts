import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'

/** What is used of the stream that all appends of a client share. */
interface AnswerStream {
  on: (event: string, listener: (answer: unknown) => void) => AnswerStream
}
type OpenStream = (this: unknown, ...given: unknown[]) => AnswerStream

const lettingGo =
  (listener: (answer: unknown) => void) =>
  (answer: unknown): void => {
    try {
      listener(answer)
    } catch (error) {
      // what looking into an entry that is gone throws; all else is not ours to hide
      if (!(error instanceof TypeError && error.message.includes('is not iterable'))) throw error
    }
  }

/**
 * Lets answers to appends go that come too late. The library keeps the appends of all its clients in one list,
 * which an error of any of them empties; an answer that comes after that finds no entry, and what the library
 * throws then ends the process. Whoever waited has been told that there is no answer, and looks in the log.
 * To be called once, before the first client is made.
 */
export const letLateAnswersGo = (): void => {
  // Made by gRPC at run time: a plain object of functions, whatever its types say.
  const prototype = streams.StreamsClient.prototype as unknown as { batchAppend: OpenStream }
  const open = prototype.batchAppend
  prototype.batchAppend = function (...given) {
    const stream = open.apply(this, given)
    const on = stream.on.bind(stream)
    stream.on = (event, listener) => {
      on(event, event === 'data' ? lettingGo(listener) : listener)
      return stream
    }
    return stream
  }
}
