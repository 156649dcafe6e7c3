import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api.ts'
import { whenShown } from './sending.ts'

const atOnce = async (): Promise<void> => {}
const made = { status: 202, answer: { id: '1', position: '7' } }
const shown = { status: 200, answer: { title: 'Haldi' }, activity: 'act' }

/** Answers or throws one after the other. */
const answers = (...all: readonly unknown[]) => {
  let asked = 0
  return async () => {
    const next = all[asked++]
    if (next instanceof Error) throw next
    return next as typeof shown // what the test has put in
  }
}

describe('a change that is made before the lists show it', () => {
  it('is asked for again when there is word of it', async () => {
    expect(await whenShown(answers(made, made, shown), atOnce)).toEqual(shown)
  })

  it('is not called failed because a server or the network is away meanwhile', async () => {
    const away = [new ApiError(503, '', 'MongoDB is away'), new TypeError('cut off')]
    expect(await whenShown(answers(made, ...away, shown), atOnce)).toEqual(shown)
  })

  it('asks once after five seconds without a word, and then only when there is one', async () => {
    const waits: (number | null)[] = []
    await whenShown(answers(made, made, made, shown), async (graceMs) => void waits.push(graceMs))
    expect(waits).toEqual([5_000, null, null])
  })

  it.each([new ApiError(503, '', 'away'), new TypeError('cut off'), new ApiError(409, '', 'changed')])(
    'fails as the call does before it is made (%s)',
    async (error) => {
      await expect(whenShown(answers(error), atOnce)).rejects.toBe(error)
    },
  )

  it('ends with the session', async () => {
    const ended = new ApiError(401, '', 'Unauthorized')
    await expect(whenShown(answers(made, ended), atOnce)).rejects.toBe(ended)
  })
})
