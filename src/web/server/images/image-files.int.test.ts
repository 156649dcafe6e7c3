import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import Koa from 'koa'
import { afterEach, describe, expect, it } from 'vitest'
import { firstKey, variantKey } from '#application/images/image-files.ts'
import { FileCut, type FileStore } from '#application/kernel/ports/files.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { answerErrors } from '../door/error-answers.ts'
import { moduleErrors } from '../module-errors.ts'
import { imageFiles } from './image-files.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const hash = 'a'.repeat(64)
const key = variantKey(hash, 640, 'avif')

/** As every store reads a file that is cut. */
function* cutAfter(pieces: readonly Uint8Array[], asked: string) {
  yield* pieces
  throw new FileCut(asked)
}

/** The addresses of images over a store that counts how often a file is opened. */
const serve = async (bytes: Uint8Array, { stored, path } = { stored: key, path: '640.avif' }) => {
  const store = {
    bytes: bytes as Uint8Array | null,
    /** what is really there of it */
    lent: null as readonly Uint8Array[] | null,
    opened: 0,
    /** the stream that has been handed out last */
    last: null as Readable | null,
    /** nothing of it comes */
    isStuck: false,
    /** requests that nothing is done for any more */
    answered: 0,
  }
  const files: Pick<FileStore, 'open' | 'size'> = {
    size: async (asked) => (asked === stored ? (store.bytes?.length ?? null) : null),
    open: async (asked) => {
      store.opened += 1
      if (store.bytes === null) return null
      const size = store.bytes.length
      const pieces = store.lent === null ? [store.bytes] : cutAfter(store.lent, asked)
      store.last = store.isStuck ? new Readable({ read: () => {} }) : Readable.from(pieces)
      return { size, stream: store.last }
    },
  }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  // Variants need the files and nothing else.
  const deps = { app: { files }, documents: memoryDocuments(), settings: {} } as unknown as Parameters<
    typeof imageFiles
  >[0]
  const answer = new Koa().use(answerErrors(moduleErrors, log)).use(imageFiles(deps)).callback()
  const server = createServer((request, response) => {
    void answer(request, response).then(() => (store.answered += 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  // Listening on a port, so its address is not a path.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/images/${hash}/${path}`
  const get = async (signal?: AbortSignal) => {
    const response = await fetch(url, signal && { signal })
    const body = Buffer.from(await response.arrayBuffer())
    return { status: response.status, etag: response.headers.get('etag'), body }
  }
  return { store, get }
}

describe('pictures by address', () => {
  it('are opened once for many readers when they are small', async () => {
    const { store, get } = await serve(Buffer.from('painting'))
    const answers = [...(await Promise.all([get(), get(), get()])), await get()]
    expect(answers.map(({ body }) => body.toString())).toEqual(Array(4).fill('painting'))
    expect(store.opened).toBe(1)
  })

  it('are the new ones as soon as they have been made anew', async () => {
    const { store, get } = await serve(Buffer.from('painting'))
    const before = await get()
    store.bytes = Buffer.from('painted again')
    const after = await get()
    expect(after.body.toString()).toBe('painted again')
    expect(after.etag).not.toBe(before.etag)
  })

  it('are gone as soon as the file is', async () => {
    const { store, get } = await serve(Buffer.from('painting'))
    await get()
    store.bytes = null
    expect((await get()).status).toBe(404)
  })

  it.each([
    ['a small one', 100_000],
    ['a large one', 600_000],
  ])('are not there when the bytes are gone: %s', async (_, size) => {
    const { store, get } = await serve(Buffer.alloc(size, 7))
    store.lent = []
    expect((await get()).status).toBe(404)
    store.lent = null
    expect((await get()).body).toHaveLength(size)
  })

  it('end the connection where the bytes of a large one end too early', async () => {
    const { store, get } = await serve(Buffer.alloc(600_000, 7))
    store.lent = [Buffer.alloc(300_000, 7)]
    await expect(get()).rejects.toThrow('terminated')
    store.lent = null
    expect((await get()).body).toHaveLength(600_000)
  })

  it('are not there while all that is left is a first view that was cut', async () => {
    const image = Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      Buffer.alloc(1_000, 7),
      Buffer.from([0xff, 0xd9]),
    ])
    const { store, get } = await serve(image, { stored: firstKey(hash), path: 'original-view.jpg' })
    expect((await get()).body).toEqual(image)
    store.bytes = image.subarray(0, 500)
    expect((await get()).status).toBe(404)
    store.bytes = image
    expect((await get()).body).toEqual(image)
  })

  it.each([
    ['a small one, which others may wait for', 1_000, false],
    ['a large one has begun', 600_000, true],
  ])('are not waited for any longer by whoever leaves before %s', async (_, size, isLetGo) => {
    const { store, get } = await serve(Buffer.alloc(size, 7))
    store.isStuck = true
    const leaving = new AbortController()
    const answer = get(leaving.signal)
    await expect.poll(() => store.last).not.toBeNull()
    leaving.abort()
    await expect(answer).rejects.toThrow('aborted')
    await expect.poll(() => store.answered).toBe(1)
    expect(store.last?.destroyed).toBe(isLetGo)
  })

  it('are not kept when they are large', async () => {
    const { store, get } = await serve(Buffer.alloc(600_000, 7))
    for (let n = 0; n < 2; n += 1) expect((await get()).body).toHaveLength(600_000)
    expect(store.opened).toBe(2)
  })
})
