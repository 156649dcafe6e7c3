import { pipeline, Readable, Transform } from 'node:stream'
import { type ByteRange, FileCut } from '#application/kernel/ports/files.ts'

/** What a file is made of, as a stream. */
export const streamOf = (source: Readable | Uint8Array): Readable =>
  source instanceof Uint8Array ? Readable.from([source]) : source

/** What is there of the part that is asked for: all unless told. */
export const partOf = (size: number, range: ByteRange | undefined): ByteRange => ({
  start: Math.max(0, range?.start ?? 0),
  end: Math.min(size, range?.end ?? size),
})

/**
 * Passes a file's bytes on, and fails where they come to an end too early.
 * @param bytes so many must come
 * @param inWords what an engine's own error is to whoever reads
 */
export const untilCut = (
  source: Readable,
  key: string,
  bytes: number,
  inWords: (error: Error) => Error = (error) => error,
): Readable => {
  let seen = 0
  const checked = new Transform({
    transform: (chunk: Buffer, _encoding, pass) => {
      seen += chunk.length
      pass(null, chunk)
    },
    flush: (done) => done(seen < bytes ? new FileCut(key) : null),
    destroy: (error, done) => done(error === null ? null : inWords(error)),
  })
  // A failure of either end reaches whoever reads.
  pipeline(source, checked, () => undefined)
  return checked
}
