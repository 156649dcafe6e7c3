import { expect, it, vi } from 'vitest'
import { cacheRendered } from './cached-page.ts'
import { createCompressor } from './compressor.ts'

const pageOf = (text: string) =>
  cacheRendered({ status: 200, contentType: 'text/html', policy: '', body: Buffer.from(text) }, '1', {})
const onError = vi.fn<(error: unknown) => void>()

it('spares a page that was replaced before it had stood for a while', async () => {
  let current = pageOf('one')
  const compressed: unknown[] = []
  const compressor = createCompressor({
    debounceMs: 20,
    isCurrent: (_, page) => page === current,
    onCompressed: async (_, page) => void compressed.push(page),
    onError,
  })
  compressor.enqueue('/', current)
  await Promise.resolve()
  current = pageOf('two')
  compressor.enqueue('/', current)
  await compressor.settled()
  expect(compressed).toEqual([current])
  expect(onError).not.toHaveBeenCalled()
})

it('says what failed, and goes on', async () => {
  const [broken, whole] = [pageOf('one'), pageOf('two')]
  const failure = new Error('The disk is full')
  const compressed: unknown[] = []
  const compressor = createCompressor({
    debounceMs: 0,
    isCurrent: () => true,
    onCompressed: async (_, page) => {
      if (page === broken) throw failure
      compressed.push(page)
    },
    onError,
  })
  compressor.enqueue('/', broken)
  compressor.enqueue('/artwork', whole)
  await compressor.settled()
  expect(onError).toHaveBeenCalledExactlyOnceWith(failure)
  expect(compressed).toEqual([whole])
})

/** Compresses when it is told to. */
const heldPage = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const page = pageOf('held')
  return { page: { ...page, compress: () => promise }, go: resolve }
}

it('lets a few wait, and takes the homepage before them', async () => {
  const compressed: string[] = []
  const compressor = createCompressor({
    debounceMs: 0,
    isCurrent: () => true,
    onCompressed: async (key) => void compressed.push(key),
    onError,
  })
  const { page, go } = heldPage()
  compressor.enqueue('first', page)
  await new Promise(setImmediate)
  for (let n = 0; n < 100; n += 1) compressor.enqueue(`/artwork/${n}`, pageOf('one'))
  compressor.enqueue('/', pageOf('home'))
  go()
  await compressor.settled()
  expect(compressed.slice(0, 2)).toEqual(['first', '/'])
  expect(compressed.length).toBeLessThan(10)
})

it('takes up a page that found no place when it is asked for again', async () => {
  const compressed: unknown[] = []
  const compressor = createCompressor({
    debounceMs: 0,
    isCurrent: () => true,
    onCompressed: async (_, page) => void compressed.push(page),
    onError,
  })
  const pages = Array.from({ length: 20 }, () => pageOf('one'))
  const last = pages.at(-1)
  for (const [n, page] of pages.entries()) compressor.enqueue(`/artwork/${n}`, page)
  await compressor.settled()
  expect(compressed).not.toContain(last)
  if (last) compressor.enqueue('/artwork/19', last)
  await compressor.settled()
  expect(compressed).toContain(last)
})

it('drops what waits when it is closed', async () => {
  const compressed: string[] = []
  const compressor = createCompressor({
    debounceMs: 60_000,
    isCurrent: () => true,
    onCompressed: async (key) => void compressed.push(key),
    onError,
  })
  for (let n = 0; n < 3; n += 1) compressor.enqueue(`/artwork/${n}`, pageOf('one'))
  await compressor.close()
  compressor.enqueue('/', pageOf('home'))
  await compressor.settled()
  expect(compressed).toEqual([])
})
