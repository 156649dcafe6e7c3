import { expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { openServedViews } from './served-views.ts'

it('are said anew where it was given up to say so, also when MongoDB has done it behind that', async () => {
  let now = 0
  let isHeld = false
  const held: (() => void)[] = []
  const answered = (): Promise<void> =>
    isHeld ? new Promise((resolve) => void held.push(resolve)) : Promise.resolve()
  const collection = () => ({
    findOneAndUpdate: async () => {
      await answered()
      return { servedAt: new Date(now) }
    },
    find: () => ({ toArray: async () => [] }),
  })
  let under = Promise.resolve<unknown>(null)
  const ask = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    const asked = call()
    under = asked
    if (isHeld) throw new EngineAway('mongodb', 'MongoDB does not answer')
    return asked
  }
  const mongo = { ask, collection } as unknown as Parameters<typeof openServedViews>[0] // what is called of them
  const { serve } = openServedViews(mongo)
  const views = [{ name: 'works', version: 1, indexes: [] }]
  expect(await serve(views)).toMatchObject({ isAnew: true })
  expect(await serve(views)).toMatchObject({ isAnew: false })
  isHeld = true
  await expect(serve(views)).rejects.toThrow('does not answer')
  now = 20_000
  isHeld = false
  for (const answer of held) answer()
  await under
  expect(await serve(views)).toMatchObject({ isAnew: true })
})
