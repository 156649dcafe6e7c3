import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api.ts'
import { untilShown } from './until-shown.ts'

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
  it('is asked for again until it is shown', async () => {
    expect(await untilShown(answers(made, made, shown), atOnce)).toEqual(shown)
  })

  it('is not called failed because a server or the network is away meanwhile', async () => {
    const away = [new ApiError(503, '', 'MongoDB is away'), new TypeError('cut off')]
    expect(await untilShown(answers(made, ...away, shown), atOnce)).toEqual(shown)
  })

  it('waits longer from try to try', async () => {
    const pauses: number[] = []
    await untilShown(answers(...Array<unknown>(7).fill(made), shown), async (ms) => void pauses.push(ms))
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 5_000, 10_000, 10_000])
  })

  it.each([new ApiError(503, '', 'away'), new TypeError('cut off'), new ApiError(409, '', 'changed')])(
    'fails as the call does before it is made (%s)',
    async (error) => {
      await expect(untilShown(answers(error), atOnce)).rejects.toBe(error)
    },
  )

  it('ends with the session', async () => {
    const ended = new ApiError(401, '', 'Unauthorized')
    await expect(untilShown(answers(made, ended), atOnce)).rejects.toBe(ended)
  })
})
