import { expect, it } from 'vitest'
import { keepStarting } from './keep-starting.ts'

const noFiles = (): Error => Object.assign(new Error('too many open files'), { code: 'EMFILE' })

it('starts again after each failure, with pauses that grow to the longest, until it has started', async () => {
  const told: [string, number][] = []
  let tries = 0
  const start = async (): Promise<string> => {
    tries += 1
    if (tries < 5) throw noFiles()
    return 'at work'
  }
  const pauses = { firstMs: 1, longestMs: 4 }
  const started = keepStarting(start, pauses, new AbortController().signal, (error, retryInMs) =>
    told.push([error instanceof Error ? error.message : '', retryInMs]),
  )
  expect(await started).toBe('at work')
  expect(told).toEqual([1, 2, 4, 4].map((ms) => ['too many open files', ms]))
})

it('ends with its reason when the site stops, also in the middle of a pause', async () => {
  const stopping = new AbortController()
  const failing = async (): Promise<never> => {
    throw noFiles()
  }
  const starting = keepStarting(failing, { firstMs: 60_000, longestMs: 60_000 }, stopping.signal, () =>
    stopping.abort(new Error('The server is stopping')),
  )
  await expect(starting).rejects.toBeDefined()
  let tries = 0
  const counted = async (): Promise<void> => void (tries += 1)
  await expect(
    keepStarting(counted, { firstMs: 1, longestMs: 1 }, stopping.signal, () => undefined),
  ).rejects.toThrow('The server is stopping')
  expect(tries).toBe(0)
})
