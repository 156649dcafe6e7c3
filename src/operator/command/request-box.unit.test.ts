import { afterEach, describe, expect, it } from 'vitest'
import { memoryLedger } from '#application/testing/memory-ledger.ts'
import type { OperatorOutcome } from './order.ts'
import type { Task } from './operation.ts'
import { askByRequest, takeRequests } from './request-box.ts'

const everyMs = 5

const quiet = { warn: () => undefined }
const asked = { operation: 'projections verify', args: { views: 'artworks' } }
const running: { stop: () => Promise<void> }[] = []
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop()
})

const serve = (
  effects: ReturnType<typeof memoryLedger>,
  carryOut: (asked: unknown, task: Task) => Promise<OperatorOutcome>,
  isMine = () => true,
) => {
  const taking = takeRequests({ effects, everyMs, of: 'a process' }, { isMine, carryOut, log: quiet })
  running.push(taking)
  return taking
}

const ask = (effects: ReturnType<typeof memoryLedger>, task: Partial<Task> = {}) =>
  askByRequest({ effects, everyMs, of: 'a process' }, asked, {
    signal: new AbortController().signal,
    progress: () => undefined,
    ...task,
  })

describe('a request on shared records', () => {
  it('is done by the process that takes it, which tells how far it is', async () => {
    const effects = memoryLedger()
    const heard: unknown[] = []
    const seen = Promise.withResolvers<void>()
    serve(effects, async (order, task) => {
      task.progress({ what: 'Replaying', done: 1, total: 2, unit: 'events' })
      await seen.promise
      return { ok: true, message: 'Done', data: order }
    })
    const outcome = await ask(effects, {
      progress: (each) => {
        heard.push(each)
        seen.resolve()
      },
    })
    expect(outcome).toEqual({ ok: true, message: 'Done', data: asked })
    expect(heard[0]).toEqual({ what: 'Replaying', done: 1, total: 2, unit: 'events' })
  })

  it('is done once, also where several processes look, and one after the other', async () => {
    const effects = memoryLedger()
    const done: string[] = []
    serve(effects, async () => ({ ok: true, message: String(done.push('one')) }))
    serve(
      effects,
      async () => ({ ok: true, message: String(done.push('two')) }),
      () => false,
    )
    expect((await ask(effects))?.message).toBe('1')
    expect((await ask(effects))?.message).toBe('2')
    expect(done).toEqual(['one', 'one'])
  })

  it.each([
    ['of long texts has them cut, and all else', 17, 1_200_000, { views: 17 }],
    ['of more than that has its words alone', 60_000, 1_000, undefined],
  ])('is answered by what a record has room for: an outcome %s', async (_, views, long, data) => {
    const effects = memoryLedger()
    const replace: typeof effects.replace = async (key, state, detail) => {
      // As MongoDB's driver does.
      if (detail.length > 16_000_000) throw new RangeError('out of range')
      return effects.replace(key, state, detail)
    }
    const message = `begins ${'x'.repeat(20_000_000)} ends`
    serve({ ...effects, replace }, async () => ({
      ok: false,
      message,
      data: { views, all: Array.from({ length: views }, () => 'y'.repeat(long)) },
    }))
    const outcome = await ask(effects)
    expect(outcome?.message).toMatch(/^begins x+\n…\nx+ ends$/)
    expect(outcome?.data).toEqual(data && expect.objectContaining(data))
  })

  it('is given back when nobody takes it', async () => {
    expect(await ask(memoryLedger())).toBeNull()
  })

  it('is not taken once whoever asked has gone', async () => {
    const effects = memoryLedger()
    await ask(effects)
    let taken = 0
    const taking = serve(effects, async () => ({ ok: true, message: String((taken += 1)) }))
    const looks = Array.from({ length: 5 }, () =>
      ask(effects, { signal: AbortSignal.abort(new Error('Gone')) }),
    )
    expect((await Promise.allSettled(looks)).map(({ status }) => status)).toEqual(looks.map(() => 'rejected'))
    await taking.stop()
    expect(taken).toBe(0)
  })

  it('is ended when whoever asked leaves', async () => {
    const effects = memoryLedger()
    const ended = Promise.withResolvers<string>()
    const leaving = new AbortController()
    serve(effects, async (_, { signal }) => {
      leaving.abort(new Error('Gone'))
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ended.resolve('ended')
      return { ok: false, message: 'Stopped' }
    })
    await expect(ask(effects, { signal: leaving.signal })).rejects.toThrow('Gone')
    expect(await ended.promise).toBe('ended')
  })

  it('is ended when its answer cannot be written, and the next is taken only after that', async () => {
    const effects = memoryLedger()
    const happened: string[] = []
    const ended = Promise.withResolvers<void>()
    const failing = {
      ...effects,
      replace: async (...record: Parameters<typeof effects.replace>) => {
        // Not the first answer: the work is under way by then.
        if (happened.length === 1) throw new Error('MongoDB is away')
        await effects.replace(...record)
      },
    }
    let isFirst = true
    serve(failing, async (_, { signal }) => {
      if (!isFirst) return { ok: true, message: String(happened.push('second')) }
      isFirst = false
      happened.push('began')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await new Promise((resolve) => setTimeout(resolve, 5 * everyMs))
      happened.push('ended')
      ended.resolve()
      return { ok: false, message: 'Stopped' }
    })
    const leaving = new AbortController()
    const first = ask(effects, { signal: leaving.signal })
    await ended.promise
    expect(happened).toEqual(['began', 'ended'])
    // Before it is given back as one that nobody takes.
    leaving.abort(new Error('Gone'))
    await expect(first).rejects.toThrow('Gone')
    expect((await ask(effects))?.ok).toBe(true)
    expect(happened).toEqual(['began', 'ended', 'second'])
  })

  it('tells what went wrong, and is given back when the process has gone', async () => {
    const effects = memoryLedger()
    serve(effects, () => Promise.reject(new Error('The engine is away')))
    expect(await ask(effects)).toEqual({ ok: false, message: 'The engine is away' })
    await running.pop()?.stop()
    // Frozen: it has taken the request and says nothing more.
    let isFrozen = false
    const frozen = {
      ...effects,
      replace: async (...record: Parameters<typeof effects.replace>) => {
        if (!isFrozen) await effects.replace(...record)
        isFrozen = true
      },
    }
    serve(frozen, async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { ok: false, message: 'Too late' }
    })
    expect(await ask(effects)).toBeNull()
  })
})
