import { describe, expect, it } from 'vitest'
import { untilShown } from './until-shown.ts'

describe('a change that is made before the lists show it (decisions 21)', () => {
  it('is asked for again until it is shown', async () => {
    const statuses = [202, 202, 200]
    let asked = 0
    const answer = await untilShown(async () => {
      const status = statuses[asked++] ?? 500
      return { status, answer: status === 202 ? { id: '1', position: '7' } : { title: 'Haldi' } }
    }, 0)
    expect(answer).toEqual({ title: 'Haldi' })
    expect(asked).toBe(3)
  })

  it('fails in words when that takes too long', async () => {
    const late = untilShown(async () => ({ status: 202, answer: {} }), 0)
    await expect(late).rejects.toThrow('503: {"message":"It is saved, and will be shown in a while.')
  })

  it('fails as the call does', async () => {
    await expect(untilShown(() => Promise.reject(new TypeError('cut off')), 0)).rejects.toThrow('cut off')
  })
})
