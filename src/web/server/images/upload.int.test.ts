import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Koa from 'koa'
import { expect, it } from 'vitest'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import { openScratch } from '#infrastructure/scratch/scratch.ts'
import { readBody } from '../call/body.ts'
import { ReaderLeft } from '../door/errors.ts'
import { mustBeWhole, withUpload } from './upload.ts'

it('tells a file that the disk had no room for from a damaged one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-upload-'))
  const path = join(folder, 'picture')
  await expect(mustBeWhole(path, 4)).rejects.toBeInstanceOf(DiskFull)
  await writeFile(path, 'abc')
  await expect(mustBeWhole(path, 4)).rejects.toBeInstanceOf(DiskFull)
  await expect(mustBeWhole(path, 3)).resolves.toBeUndefined()
  await rm(folder, { recursive: true })
})

it.each(['multipart/form-data; boundary=b', 'application/json'])(
  'gives up a body of %s that was broken off before anybody read of it',
  async (type) => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-upload-'))
    const scratch = await openScratch(folder, () => false)
    const ended = Promise.withResolvers<unknown>()
    const koa = new Koa()
    koa.use(async (ctx) => {
      await once(ctx.req, 'close').catch(() => undefined)
      const reading = type.startsWith('multipart')
        ? withUpload(ctx, { scratch, images: { warm: () => undefined } }, async () => undefined)
        : readBody(ctx, { consumes: 'json' }, null)
      ended.resolve(await reading.catch((error: unknown) => error))
    })
    const handle = koa.callback()
    const server = createServer((request, response) => void handle(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // Listening on a port, so its address is not a path.
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const broken = once(server, 'request')
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 900\r\n\r\n--b\r\n`)
    await broken
    socket.destroy()
    expect(await ended.promise).toBeInstanceOf(ReaderLeft)
    expect(await readdir(folder)).toEqual([])
    server.close()
    await rm(folder, { recursive: true })
  },
)
