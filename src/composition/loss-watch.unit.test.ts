import { memoryLedger } from '#application/testing/memory-ledger.ts'
import { isOutage } from '#application/kernel/outage.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { describe, expect, it } from 'vitest'
import {
  beyondEnd,
  DiskFull,
  EngineAway,
  type EventStore,
  type Position,
} from '#application/kernel/ports/event-store.ts'
import type { Loss } from '#infrastructure/lost-log.ts'
import { guardedEffects, guardedLog, refuseUnrecordable, startLossWatch } from './loss-watch.ts'

const gone: Loss = { words: 'Gone', served: false }
const goneAgain: Loss = { words: 'Gone again', served: true }

const recorded = () => {
  const said: string[] = []
  const say = (_: object, message: string): void => void said.push(message)
  return { said, log: { info: say, error: say } }
}

describe('a process whose site may be lost under it', () => {
  it('is told once of each loss and of its end, also where an engine is away in between', async () => {
    const { said, log } = recorded()
    const answers = [null, gone, new Error('away'), gone, null, goneAgain]
    let looks = 0
    const find = async (): Promise<Loss | null> => {
      const answer = answers[Math.min(looks, answers.length - 1)] ?? null
      looks += 1
      if (answer instanceof Error) throw answer
      return answer
    }
    const watch = startLossWatch(find, log, 1)
    expect(watch.lost()).toBeNull()
    await expect.poll(() => looks).toBeGreaterThan(7)
    watch.stop()
    expect(said).toEqual([
      'Gone. Until then nothing is shown and nothing is saved',
      expect.stringContaining('there again'),
      'Gone again. Until then nothing is saved',
    ])
    expect(watch.lost()).toBe(goneAgain)
  })

  it('looks at once when it is asked', async () => {
    const watch = startLossWatch(async () => gone, recorded().log, 1_000_000)
    expect(await watch.look()).toBe(gone)
    expect(watch.lost()).toBe(gone)
    watch.stop()
  })

  it('writes nothing into its log while it is', async () => {
    const written: string[] = []
    const eventStore = {
      append: async (stream: string) => void written.push(stream),
      appendInOrder: async () => void written.push('in order'),
    } as unknown as EventStore // nothing else is asked of it
    let lost: Loss | null = null
    const guarded = guardedLog(eventStore, () => lost)
    await guarded.append('one', 'no-stream', [])
    lost = gone
    await expect(guarded.append('two', 'no-stream', [])).rejects.toThrow(EngineAway)
    await expect(guarded.appendInOrder([])).rejects.toThrow('Nothing can be saved just now')
    lost = null
    await guarded.appendInOrder([])
    expect(written).toEqual(['one', 'in order'])
  })
})

describe('what is done outside of the site', () => {
  const whole = {
    loss: { look: async (): Promise<Loss | null> => null },
    astray: (): Error | null => null,
    isDiskShort: () => false,
  }

  it('is begun only while it can be recorded', async () => {
    await refuseUnrecordable(whole)
    const lost = { look: async () => goneAgain }
    await expect(refuseUnrecordable({ ...whole, loss: lost })).rejects.toThrow('Nothing can be saved')
    const ahead = beyondEnd('5' as Position, null) // as a log makes it
    await expect(refuseUnrecordable({ ...whole, astray: () => ahead })).rejects.toBe(ahead)
    await expect(refuseUnrecordable({ ...whole, isDiskShort: () => true })).rejects.toThrow(DiskFull)
  })

  it('waits, and fails for nothing, where nobody can look whether it can be recorded', async () => {
    const blind = { look: () => Promise.reject(new Error('EACCES: permission denied')) }
    const refused: unknown = await refuseUnrecordable({ ...whole, loss: blind }).catch(
      (error: unknown) => error,
    )
    expect([isOutage(refused), reasonOf(refused)]).toEqual([true, expect.stringContaining('EACCES')])
  })

  it('is not begun either where noting it took the last room', async () => {
    const ledger = memoryLedger()
    let isShort = false
    const taking = {
      ...ledger,
      started: async () => {
        isShort = true
      },
    }
    const refuse = () => refuseUnrecordable({ ...whole, isDiskShort: () => isShort })
    const guarded = guardedEffects(taking, refuse)
    await expect(guarded.started('mail', '')).rejects.toThrow(DiskFull)
    await guarded.done('mail', 'sent')
    expect(await guarded.find('mail')).toEqual({ state: 'done', detail: 'sent' })
  })
})
