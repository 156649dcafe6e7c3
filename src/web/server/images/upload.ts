import { randomUUID } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { pause } from '#application/kernel/retry.ts'
import type { Context } from 'koa'
import { HttpMethodEnum, koaBody } from 'koa-body'
import type { Application } from '#application/application.ts'
import { unlessMissing } from '#application/kernel/reason.ts'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import { uploadField } from '#web/contract/images.ts'
import { imageTooLarge, limits } from '#web/contract/limits.ts'
import { refuseBrokenOff, refuseCompressed } from '../call/body.ts'
import { CallRefused } from '../door/errors.ts'
import type { SentFile } from '../call/route.ts'

/** So much of a multipart body is not the file: boundaries, headers of parts, a field that should not be there. */
const envelopeBytes = 64 * 1024

const atImage = (message: string): CallRefused =>
  new CallRefused(422, message, { fields: { [uploadField]: message } })

const noFile = `Send one picture in the field "${uploadField}"`

/** The one file of the body. @throws {CallRefused} 422 for none, several, or anything beside it */
const fileOf = (ctx: Context): SentFile & { readonly size: number } => {
  const files = Object.entries(ctx.request.files ?? {})
  const fields = Object.keys(ctx.request.body ?? {})
  const [first] = files
  if (first === undefined) throw atImage(noFile)
  const others = [...files.map(([name]) => name), ...fields].filter((name) => name !== uploadField)
  const extra = others[0]?.slice(0, 60)
  if (extra !== undefined) {
    const message = `"${extra}" is not a field of this call`
    throw new CallRefused(422, message, { fields: { [extra]: message } })
  }
  const [, file] = first
  if (fields.length > 0) throw atImage(noFile)
  if (Array.isArray(file) || file === undefined) throw atImage('Send one picture at a time')
  // A form whose field was left empty sends a file of nothing.
  if (file.size === 0) throw atImage(noFile)
  return { path: file.filepath, hash: file.hash ?? '', size: file.size }
}

/** Tells what keeps a file from being opened that the disk has nothing to do with. @throws such as EMFILE */
const mustOpen = async (path: string): Promise<void> => {
  const file = await open(path, 'r').catch(unlessMissing)
  await file?.close()
}

/**
 * The parser may end before it hears that writing has failed: then less stands on the disk than was sent, and what
 * stands there looks like a damaged image.
 * @throws {DiskFull} or, where no file can be opened at all, why
 */
export const mustBeWhole = async (path: string, size: number): Promise<void> => {
  const { size: written } = await stat(path).catch(() => ({ size: 0 }))
  if (written >= size) return
  await mustOpen(path)
  throw new DiskFull()
}

/** Removes a folder into which a file may be opening at this very moment: tries again until it is gone. */
const removeFolder = async (app: Pick<Application, 'scratch'>, folder: string): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await app.scratch.remove(folder)
      return
    } catch (error) {
      if (tries === 5) throw error
      await pause(20 * tries)
    }
  }
}

/**
 * Takes in an upload and works on its file, which is gone afterwards, whatever happens.
 * The name that the sender gives the file is never used.
 * @throws {CallRefused} 413, 415, 422; {DiskFull} {ReaderLeft}; what the parser and `work` throw
 */
export const withUpload = async <T>(
  ctx: Context,
  app: Pick<Application, 'scratch'> & { readonly images: Pick<Application['images'], 'warm'> },
  work: (file: SentFile) => Promise<T>,
): Promise<T> => {
  if (!ctx.is('multipart')) {
    throw new CallRefused(415, `Send the picture as multipart/form-data, in the field "${uploadField}"`)
  }
  refuseCompressed(ctx)
  if ((ctx.request.length ?? 0) > limits.imageBytes + envelopeBytes) throw new CallRefused(413, imageTooLarge)
  app.images.warm()
  const folder = await app.scratch.folder(`upload-${randomUUID()}`)
  try {
    refuseBrokenOff(ctx)
    await parserInto(folder)(ctx, async () => {})
    const { size, ...file } = fileOf(ctx)
    await mustBeWhole(file.path, size)
    return await work(file)
  } finally {
    await removeFolder(app, folder)
  }
}

const parserInto = (folder: string) =>
  koaBody({
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    patchNode: false,
    parsedMethods: [HttpMethodEnum.POST],
    formidable: {
      uploadDir: folder,
      maxFileSize: limits.imageBytes,
      // One byte over would do; two files are told from one that is too large by their number.
      maxTotalFileSize: limits.imageBytes,
      maxFiles: 2,
      allowEmptyFiles: true,
      minFileSize: 0,
      hashAlgorithm: 'sha256',
      maxFields: 10,
      maxFieldsSize: envelopeBytes,
      // A part with a file name is a file, also when its sender names no type.
      onPart: (part, handle) => {
        if (part.originalFilename) part.mimetype ??= 'application/octet-stream'
        handle(part)
      },
    },
  })
