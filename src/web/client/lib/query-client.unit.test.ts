import { QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { createQueryClient } from './query-client.ts'

/** A list that is shown, and what answers each time that it is asked for. */
const shownList = () => {
  const client = createQueryClient()
  const asked: ((list: string | Promise<never>) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['list'],
    queryFn: () => new Promise<string>((answer) => asked.push(answer)),
  })
  observer.subscribe(() => undefined)
  return {
    asked,
    isTold: () => void client.invalidateQueries({ queryKey: ['list'] }),
    shown: () => observer.getCurrentResult().data,
    hasFailed: () => observer.getCurrentResult().isError,
    retry: () => void observer.refetch(),
  }
}

describe('the lists in the cache', () => {
  it('are fetched once more where a change was told while they were first fetched', async () => {
    const { asked, isTold, shown } = shownList()
    await Promise.resolve()
    isTold()
    asked[0]?.('before the change')
    await expect.poll(() => asked.length).toBe(2)
    expect(shown()).toBe('before the change')
    asked[1]?.('after it')
    await expect.poll(shown).toBe('after it')
    expect(asked.length).toBe(2)
  })

  it('are fetched once where it was told before they were asked for', async () => {
    const { asked, isTold, shown } = shownList()
    isTold()
    await Promise.resolve()
    asked[0]?.('as they are')
    await expect.poll(shown).toBe('as they are')
    expect(asked.length).toBe(1)
  })

  it('are fetched once more also where they were told of before they failed', async () => {
    const { asked, isTold, shown, hasFailed, retry } = shownList()
    await Promise.resolve()
    isTold()
    asked[0]?.(Promise.reject(new Error('no answer')))
    await expect.poll(hasFailed).toBe(true)
    retry()
    await Promise.resolve()
    isTold()
    asked[1]?.('before the change')
    await expect.poll(() => asked.length).toBe(3)
    asked[2]?.('after it')
    await expect.poll(shown).toBe('after it')
    expect(asked.length).toBe(3)
  })
})
