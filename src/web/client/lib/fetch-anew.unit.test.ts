import { QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { fetchAnew } from './fetch-anew.ts'
import { createQueryClient } from './query-client.ts'

describe('a list that has changed', () => {
  /** A list that is shown, and is being fetched for the first time. */
  const firstFetched = () => {
    const client = createQueryClient()
    const queryKey = ['posts', 'newest']
    const answers: PromiseWithResolvers<string>[] = []
    const queryFn = async () => {
      const answer = Promise.withResolvers<string>()
      answers.push(answer)
      return answer.promise
    }
    const observer = new QueryObserver(client, { queryKey, queryFn })
    observer.subscribe(() => undefined)
    return { answers, observer, tell: () => fetchAnew(client, [['posts']]) }
  }

  it('is fetched once more where it is being fetched for the first time: that answer may be of before', async () => {
    const { answers, observer, tell } = firstFetched()
    const told = tell()
    answers[0]?.resolve('before the change')
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.resolve('after it')
    await told
    expect(observer.getCurrentResult().data).toBe('after it')
    expect(answers.length).toBe(2)
  })

  it('is asked for no more by itself where its first fetch fails, and as before behind "Try again"', async () => {
    const { answers, observer, tell } = firstFetched()
    const told = tell()
    answers[0]?.reject(new Error('no answer'))
    await told
    expect(answers.length).toBe(1)
    void observer.refetch()
    const again = tell()
    answers[1]?.resolve('before the change')
    await expect.poll(() => answers.length).toBe(3)
    answers[2]?.resolve('after it')
    await again
    expect(observer.getCurrentResult().data).toBe('after it')
  })
})
