import { describe, expect, it, vi } from 'vitest'
import { ownerCommand, testApplication } from '#application/testing/application.ts'
import { openRateLimits } from '#infrastructure/embedded/rate-limits.ts'
import { limits } from '#web/contract/limits.ts'
import { SiteBusy } from '../door/errors.ts'
import { messageTaker } from './take-message.ts'

const message = { name: 'Asha', email: 'asha@example.org', subject: 'general', message: 'Hello' } as const
const address = (n: number): string => `198.51.${n >> 8}.${n & 255}`
const documents = {
  get: async () => null,
  getMany: async () => [],
} as unknown as Parameters<typeof messageTaker>[0]['documents'] // a message about no work asks for none

const site = () => {
  const { app, eventStore } = testApplication()
  const rateLimits = openRateLimits()
  const log = { warn: () => undefined } as unknown as Parameters<typeof messageTaker>[0]['log'] // all it says
  const process = (over: Partial<typeof app> = {}) =>
    messageTaker({ app: { ...app, ...over }, documents, rateLimits, secret: 'secret', log })
  return { process, eventStore, rateLimits }
}

describe('letters', () => {
  it('are taken up to a number, also when they come to two processes at once', async () => {
    const { process } = site()
    const takers = [process(), process()] as const
    const sent = Array.from({ length: limits.allMessages + 60 }, (_, n) =>
      takers[n % 2 === 0 ? 0 : 1](message, address(n), ownerCommand()),
    )
    const ends = await Promise.allSettled(sent)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.allMessages)
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 429, message: 'Too many letters just now. Please try again in an hour.' },
    })
  })

  it('of one address are taken up to a number, also when they come to two processes at once', async () => {
    const { process } = site()
    const takers = [process(), process()] as const
    const sent = Array.from({ length: 12 }, (_, n) =>
      takers[n % 2 === 0 ? 0 : 1](message, address(1), ownerCommand()),
    )
    const ends = await Promise.allSettled(sent)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.contactMessages)
  })

  it('of one address wait in a line with an end, and those of others are taken meanwhile', async () => {
    const { process, rateLimits } = site()
    const gate = Promise.withResolvers<void>()
    const { hit } = rateLimits
    vi.spyOn(rateLimits, 'hit').mockImplementation(async (limit, key) => {
      if (key === address(1)) await gate.promise
      return hit(limit, key)
    })
    const taker = process()
    const refused: unknown[] = []
    const sent = Array.from({ length: 40 }, async () => {
      await taker(message, address(1), ownerCommand()).catch((error: unknown) => refused.push(error))
    })
    await taker(message, address(2), ownerCommand())
    expect(refused).toHaveLength(20)
    expect(refused[0]).toBeInstanceOf(SiteBusy)
    gate.resolve()
    await Promise.all(sent)
    expect(refused).toHaveLength(40 - limits.contactMessages)
  })

  it('that could not be stored, or were refused, do not count', async () => {
    const { process } = site()
    const broken = process({
      executor: {
        ...testApplication().app.executor,
        execute: async () => {
          throw new Error('The disk is full')
        },
      },
    })
    for (let n = 0; n < 2 * limits.contactMessages; n += 1) {
      await expect(broken(message, address(1), ownerCommand())).rejects.toThrow('The disk is full')
    }
    const taker = process()
    for (let n = 0; n < limits.contactMessages; n += 1) await taker(message, address(1), ownerCommand())
    for (let n = 0; n < limits.allMessages; n += 1)
      await expect(taker(message, address(1), ownerCommand())).rejects.toMatchObject({ status: 429 })
    await taker(message, address(2), ownerCommand())
  })

  it('that come again under their own key are one, however they come, and count as one', async () => {
    const { process, eventStore } = site()
    const keyed = { ...message, key: 'page' }
    for (const sent of [keyed, { ...keyed, website: '', openedAt: '2026-01-01T00:00:00Z' }, keyed])
      await process()(sent, address(1), ownerCommand())
    expect(eventStore.events).toHaveLength(1)
    for (let n = 1; n < limits.contactMessages; n += 1)
      await process()({ ...keyed, message: `Hello ${n}` }, address(1), ownerCommand())
    expect(eventStore.events).toHaveLength(limits.contactMessages)
    await expect(process()(message, address(1), ownerCommand())).rejects.toMatchObject({ status: 429 })
  })
})
