import { expect, it } from 'vitest'
import { retry } from './retry.ts'

const noFiles = (): Error => Object.assign(new Error('too many open files'), { code: 'EMFILE' })
const going = new AbortController().signal
const soon = { firstMs: 1, longestMs: 4, signal: going, onFailure: () => undefined }

it('tries again after each failure, with pauses that grow to the longest, until it is done', async () => {
  const told: [string, number][] = []
  let tries = 0
  const start = async (): Promise<string> => {
    tries += 1
    if (tries < 5) throw noFiles()
    return 'at work'
  }
  const onFailure = (error: unknown, retryInMs: number) =>
    told.push([error instanceof Error ? error.message : '', retryInMs])
  expect(await retry(start, { ...soon, onFailure })).toBe('at work')
  expect(told).toEqual([1, 2, 4, 4].map((ms) => ['too many open files', ms]))
})

it('pauses shortly again once something got on', async () => {
  const told: number[] = []
  let tries = 0
  const follow = async (gotOn: () => void): Promise<void> => {
    tries += 1
    if (tries === 4) gotOn()
    if (tries < 6) throw noFiles()
  }
  await retry(follow, { ...soon, onFailure: (_error, retryInMs) => told.push(retryInMs) })
  expect(told).toEqual([1, 2, 4, 1, 2])
})

it('throws at once what trying again would not help', async () => {
  let tries = 0
  const call = async (): Promise<never> => {
    tries += 1
    throw tries === 2 ? new TypeError('never') : noFiles()
  }
  const isFinal = (error: unknown) => error instanceof TypeError
  await expect(retry(call, { ...soon, isFinal })).rejects.toThrow('never')
  expect(tries).toBe(2)
})

it('ends with the reason of the stop, also in the middle of a pause', async () => {
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = () => stopping.abort(new Error('The server is stopping'))
  const failing = async (): Promise<never> => {
    throw noFiles()
  }
  const long = { firstMs: 60_000, longestMs: 60_000, signal, onFailure: stop }
  await expect(retry(failing, long)).rejects.toThrow('The server is stopping')
  let tries = 0
  const counted = async (): Promise<void> => void (tries += 1)
  await expect(retry(counted, { ...soon, signal })).rejects.toThrow('The server is stopping')
  expect(tries).toBe(0)
})
