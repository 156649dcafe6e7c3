import { expect, it, vi } from 'vitest'
import { keepRendered } from './kept-page.ts'
import { createShrinker } from './shrinker.ts'

const pageOf = (text: string) =>
  keepRendered({ status: 200, contentType: 'text/html', policy: '', body: Buffer.from(text) }, '1', {})
const onError = vi.fn<(error: unknown) => void>()

it('spares a page that was replaced before it had stood for a while', async () => {
  let current = pageOf('one')
  const shrunk: unknown[] = []
  const shrinker = createShrinker({
    calm: 20,
    isCurrent: (_, page) => page === current,
    onShrunk: async (_, page) => void shrunk.push(page),
    onError,
  })
  shrinker.enqueue('/', current)
  await Promise.resolve()
  current = pageOf('two')
  shrinker.enqueue('/', current)
  await shrinker.settled()
  expect(shrunk).toEqual([current])
  expect(onError).not.toHaveBeenCalled()
})

it('says what failed, and goes on', async () => {
  const [broken, whole] = [pageOf('one'), pageOf('two')]
  const failure = new Error('The disk is full')
  const shrunk: unknown[] = []
  const shrinker = createShrinker({
    calm: 0,
    isCurrent: () => true,
    onShrunk: async (_, page) => {
      if (page === broken) throw failure
      shrunk.push(page)
    },
    onError,
  })
  shrinker.enqueue('/', broken)
  shrinker.enqueue('/artwork', whole)
  await shrinker.settled()
  expect(onError).toHaveBeenCalledExactlyOnceWith(failure)
  expect(shrunk).toEqual([whole])
})
