import { afterEach, expect, it, vi } from 'vitest'
import { inFileTurn } from './image-files.ts'
import { isOutage } from '../kernel/outage.ts'
import { memoryLeases } from '../testing/memory-leases.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('is no fault of a picture that its turn over the files does not come', async () => {
  const late = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  const leases = memoryLeases()
  const held = await leases.acquire('picture-files', new AbortController().signal)
  const waiting = inFileTurn(leases, async () => undefined)
  late.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const error: unknown = await waiting.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ message: expect.stringContaining('Please try again in a moment') })
  expect(isOutage(error)).toBe(true)
  await held.release()
})
