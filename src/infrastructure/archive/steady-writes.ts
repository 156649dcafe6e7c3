import type { FileHandle } from 'node:fs/promises'
import { asError } from '#application/kernel/reason.ts'
import { Writable } from 'node:stream'

/** The disk takes what was written at the latest after so many bytes: one of 20 MB a second has them in 1.6 s. */
const mostUntaken = 32 * 1024 * 1024

/**
 * Writes a file, from where its handle stands, and closes it. What is written waits in memory until the disk takes it: of a
 * large file that would be some gigabytes at its end, behind which whatever else is written to that disk stands still, as the
 * log and the signs of life of a lease. It is all on the disk when the stream finishes.
 */
export const steadyWrites = (file: FileHandle): Writable => {
  let untaken = 0
  const write = async (bytes: Buffer): Promise<void> => {
    await file.writeFile(bytes)
    untaken += bytes.length
    if (untaken < mostUntaken) return
    untaken = 0
    await file.datasync()
  }
  return new Writable({
    write: (bytes: Buffer, _encoding, done) => void write(bytes).then(() => done(), done),
    // Small pieces, as the heads of a tar archive, go together.
    writev: (pieces, done) =>
      void write(Buffer.concat(pieces.map(({ chunk }): Buffer => chunk))).then(() => done(), done),
    final: (done) => void file.sync().then(() => done(), done),
    destroy: (error, done) =>
      void file.close().then(
        () => done(error),
        (thrown: unknown) => done(error ?? asError(thrown)),
      ),
  })
}
