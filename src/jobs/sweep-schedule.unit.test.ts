import { expect, it } from 'vitest'
import { testApplication } from '#application/testing/application.ts'
import { startSweepSchedule } from './sweep-schedule.ts'

/** A schedule that begins at once, with one file that nothing refers to; `told` is what the log says. */
const started = (granted: boolean) => {
  const { app: bare, files } = testApplication()
  files.set('cards/old.jpg', new Uint8Array([1]))
  let asked = 0
  const expiredBefore: string[] = []
  const app = {
    ...bare,
    sessions: { ...bare.sessions, sweep: async (now: string) => expiredBefore.push(now) },
    leases: {
      ...bare.leases,
      tryAcquire: async () => {
        asked += 1
        return granted
          ? { lost: new AbortController().signal, check: () => {}, release: async () => {} }
          : null
      },
    },
  }
  const told: string[] = []
  const tell = (_: object, message: string): void => void told.push(message)
  const idempotency = { sweep: async () => 0 }
  const schedule = startSweepSchedule({ app, idempotency, log: { info: tell, warn: tell }, firstMs: 1 })
  return { schedule, files, told, expiredBefore, asked: () => asked }
}

it('sweeps by itself, and says what it put aside', async () => {
  const { schedule, files, told } = started(true)
  await expect.poll(() => told).toEqual(['files that nothing refers to were put aside'])
  expect([...files.keys()]).toEqual(['aside/2026-03-04/cards/old.jpg'])
  await schedule.stop()
})

it('ends no session that holds by a clock which is days behind its own', async () => {
  const { schedule, told, expiredBefore } = started(true)
  await expect.poll(() => told).toHaveLength(1)
  expect(expiredBefore).toEqual([expect.stringContaining('2026-02-02')])
  await schedule.stop()
})

it('leaves it to another process that does it already', async () => {
  const { schedule, files, asked } = started(false)
  await expect.poll(asked).toBe(1)
  await schedule.stop()
  expect([...files.keys()]).toEqual(['cards/old.jpg'])
})
