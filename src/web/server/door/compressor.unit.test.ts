import { expect, it, vi } from 'vitest'
import { keepRendered } from './cached-page.ts'
import { createCompressor } from './compressor.ts'

const pageOf = (text: string) =>
  keepRendered({ status: 200, contentType: 'text/html', policy: '', body: Buffer.from(text) }, '1', {})
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
