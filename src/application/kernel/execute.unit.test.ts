import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { createExecutor, ForgottenCommand, StaleVersion } from './execute.ts'
import type { CommandContext } from './envelope.ts'
import { memoryEventStore } from '../testing/memory-event-store.ts'
import {
  EngineAway,
  type EventStore,
  foreignType,
  type NewEvent,
  type RecordedEvent,
} from './ports/event-store.ts'
import type { Decider } from '#domain/decider.ts'
import type { MessageEvent } from '#domain/messages/events.ts'
import { Refusal } from '#domain/refusal.ts'

type Command = { readonly type: 'read' } | { readonly type: 'receive' } | { readonly type: 'refuse' }

/** The smallest decider with a beginning, repeatable changes and a refusal. */
const counter: Decider<number, Command, MessageEvent> = {
  initialState: 0,
  decide: (command, state) => {
    if (command.type === 'refuse') throw new Refusal('blocked', 'not now')
    if (command.type === 'receive') {
      if (state > 0) return []
      return [{ type: 'MessageReceived', data: { subject: 'general', sealed: 's', artworkId: null } }]
    }
    return [{ type: 'MessageMarkedRead', data: {} }]
  },
  evolve: (state) => state + 1,
  versionOf: (state) => (state === 0 ? null : state),
}

/** A message's first event, as a log takes it. */
const received = (): NewEvent => ({
  id: randomUUID(),
  type: 'MessageReceived',
  schemaVersion: 2,
  occurredAt: '2026-03-04T05:06:07.008Z',
  meta: { correlationId: 'r', causationId: 'r', commandId: 'c', actor: { kind: 'visitor' } },
  data: { subject: 'general', sealed: 's', artworkId: null },
})

let commands = 0
const context = (commandId = `command-${++commands}`): CommandContext => ({
  commandId,
  correlationId: 'request-1',
  causationId: 'request-1',
  actor: { kind: 'visitor' },
  now: new Date('2026-03-04T05:06:07.008Z'),
})
const order = (command: Command, more: { expectedVersion?: number; commandId?: string } = {}) => ({
  stream: 'message-1',
  decider: counter,
  command,
  context: context(more.commandId),
  expectedVersion: more.expectedVersion ?? null,
})

describe('execute', () => {
  it('appends what was decided, in its envelope', async () => {
    const store = memoryEventStore()
    await createExecutor(store).execute(order({ type: 'receive' }, { commandId: 'c1' }))
    expect(store.events).toMatchObject([
      {
        stream: 'message-1',
        revision: 0,
        type: 'MessageReceived',
        schemaVersion: 2,
        occurredAt: '2026-03-04T05:06:07.008Z',
        meta: {
          commandId: 'c1',
          correlationId: 'request-1',
          causationId: 'request-1',
          actor: { kind: 'visitor' },
        },
      },
    ])
  })

  it('appends nothing when nothing changes', async () => {
    const store = memoryEventStore()
    const { execute } = createExecutor(store)
    await execute(order({ type: 'receive' }))
    const outcome = await execute(order({ type: 'receive' }))
    expect([outcome.position, store.events.length]).toEqual([null, 1])
  })

  it('says up to where it has seen the stream, also when another process wrote why nothing is left to do', async () => {
    const store = memoryEventStore()
    const mine = createExecutor(store)
    expect((await mine.execute(order({ type: 'read' }))).upTo).toBe(store.events[0]?.position)
    await createExecutor(store).execute(order({ type: 'read' }))
    const outcome = await mine.execute(order({ type: 'receive' }))
    expect([outcome.position, outcome.upTo]).toEqual([null, store.events[1]?.position])
    expect((await mine.execute(order({ type: 'receive' }))).upTo).toBe(store.events[1]?.position)
  })

  it('answers a command sent twice with what it did the first time', async () => {
    const store = memoryEventStore()
    const first = await createExecutor(store).execute(order({ type: 'read' }, { commandId: 'same' }))
    const again = await createExecutor(store).execute(order({ type: 'read' }, { commandId: 'same' }))
    expect(again).toMatchObject({ repeated: true, position: first.position })
    expect(store.events.length).toBe(1)
  })

  it('takes what was carried out before its id was forgotten for no repeat', async () => {
    const { execute } = createExecutor(memoryEventStore())
    const first = order({ type: 'read' }, { commandId: 'same' })
    await execute(first)
    const sentAgain = (forgotten: string) => execute({ ...first, context: { ...first.context, forgotten } })
    expect(await sentAgain('2026-03-04T05:06:07.007Z')).toMatchObject({ repeated: true })
    await expect(sentAgain('2026-03-04T05:06:07.008Z')).rejects.toThrow(ForgottenCommand)
  })

  it('carries out two copies sent at once only once', async () => {
    const store = memoryEventStore()
    const { execute } = createExecutor(store)
    await Promise.all([1, 2].map(() => execute(order({ type: 'read' }, { commandId: 'same' }))))
    expect(store.events.length).toBe(1)
  })

  it('decides again on the newer state when another process was first', async () => {
    let rivals = 2
    const store: EventStore & { readonly events: RecordedEvent[] } = memoryEventStore({
      beforeAppend: async () => {
        // Each rival is a process of its own.
        if (rivals-- > 0) await createExecutor(store).execute(order({ type: 'read' }))
      },
    })
    const outcome = await createExecutor(store, { betweenTries: async () => {} }).execute(
      order({ type: 'read' }),
    )
    expect([outcome.state, store.events.length]).toEqual([3, 3])
  })

  it('tells whoever measures what became of each command, with its conflicts', async () => {
    const measured: unknown[] = []
    let rivals = 1
    const store: EventStore = memoryEventStore({
      beforeAppend: async () => {
        if (rivals-- > 0) await createExecutor(store).execute(order({ type: 'read' }))
      },
    })
    const { execute } = createExecutor(store, {
      betweenTries: async () => {},
      measured: ({ type, result, conflicts }) => measured.push([type, result, conflicts]),
    })
    await execute(order({ type: 'read' }, { commandId: 'twice' }))
    await execute(order({ type: 'read' }, { commandId: 'twice' }))
    await execute(order({ type: 'receive' }))
    await execute(order({ type: 'refuse' })).catch(() => undefined)
    await execute(order({ type: 'read' }, { expectedVersion: 1 })).catch(() => undefined)
    expect(measured).toEqual([
      ['read', 'done', 1],
      ['read', 'repeated', 0],
      ['receive', 'unchanged', 0],
      ['refuse', 'refused', 0],
      ['read', 'stale', 0],
    ])
  })

  it('never writes over a newer version than the caller saw', async () => {
    const { execute } = createExecutor(memoryEventStore())
    await execute(order({ type: 'receive' }))
    await execute(order({ type: 'read' }))
    await expect(execute(order({ type: 'read' }, { expectedVersion: 1 }))).rejects.toThrow(StaleVersion)
  })

  it('lets exactly one of two racers on one version win, also across processes', async () => {
    const store = memoryEventStore()
    await createExecutor(store).execute(order({ type: 'receive' }))
    const racers = [1, 2].map(() =>
      createExecutor(store, { betweenTries: async () => {} }).execute(
        order({ type: 'read' }, { expectedVersion: 1 }),
      ),
    )
    const results = await Promise.allSettled(racers)
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results.find((result) => result.status === 'rejected')?.reason).toBeInstanceOf(StaleVersion)
  })

  it('passes a refusal on and writes nothing', async () => {
    const store = memoryEventStore()
    await expect(createExecutor(store).execute(order({ type: 'refuse' }))).rejects.toThrow('not now')
    expect(store.events.length).toBe(0)
  })

  it('ends who waited in line while the log did not answer, and asks it anew for who comes after', async () => {
    const store = memoryEventStore()
    let asked = 0
    const silence = Promise.withResolvers<never>()
    const { execute } = createExecutor({
      ...store,
      append: (...what) => {
        asked += 1
        return asked === 1 ? silence.promise : store.append(...what)
      },
    })
    const all = [1, 2, 3].map(() => execute(order({ type: 'read' })))
    silence.reject(new EngineAway('log', 'The event log does not answer'))
    for (const one of await Promise.allSettled(all))
      expect(one).toMatchObject({ reason: { name: 'EngineAway' } })
    expect(asked).toBe(1)
    await expect(execute(order({ type: 'read' }))).resolves.toMatchObject({ written: ['MessageMarkedRead'] })
  })

  it('goes on after a refusal on the same stream', async () => {
    const { execute } = createExecutor(memoryEventStore())
    await expect(execute(order({ type: 'refuse' }))).rejects.toThrow(Refusal)
    expect((await execute(order({ type: 'receive' }))).state).toBe(1)
  })

  it('reads nothing where what is in memory is the newest, and decides anew where it is not', async () => {
    const store = memoryEventStore()
    const readStream = vi.fn<typeof store.readStream>(store.readStream)
    const mine = createExecutor({ ...store, readStream })
    await mine.execute(order({ type: 'receive' }))
    readStream.mockClear()
    expect((await mine.execute(order({ type: 'read' }))).state).toBe(2)
    expect(readStream).not.toHaveBeenCalled()
    await createExecutor(store).execute(order({ type: 'read' }))
    expect((await mine.execute(order({ type: 'read' }))).state).toBe(4)
    expect(store.events.map(({ revision }) => revision)).toEqual([0, 1, 2, 3])
  })

  it('reads a long stream in parts, and all of it', async () => {
    const store = memoryEventStore()
    const writing = createExecutor(store)
    await writing.execute(order({ type: 'receive' }))
    for (let n = 0; n < 70; n += 1) await writing.execute(order({ type: 'read' }, { commandId: `c${n}` }))
    const parts: number[] = []
    const readStream: typeof store.readStream = async (...asked) => {
      const events = await store.readStream(...asked)
      parts.push(events.length)
      return events
    }
    const mine = createExecutor({ ...store, readStream })
    expect((await mine.execute(order({ type: 'read' }, { commandId: 'mine' }))).upTo).toBe(
      store.events.at(-1)?.position,
    )
    expect(Math.max(...parts)).toBeLessThan(40)
    expect(store.events.at(-1)?.revision).toBe(71)
  })

  it('keeps what streams hold in memory while it is short, and lets long ones go', async () => {
    const store = memoryEventStore()
    const readStream = vi.fn<typeof store.readStream>(store.readStream)
    const mine = createExecutor({ ...store, readStream })
    const of = (n: number) => `message-${n}`
    /** From which revision the first of forty streams is read when it is asked for again. */
    const readAgain = async (from: number, characters: number): Promise<number | undefined> => {
      const decider: Decider<string, Command, MessageEvent> = {
        initialState: '',
        decide: () => [],
        evolve: () => 'x'.repeat(characters),
        versionOf: () => null,
      }
      for (let n = from; n < from + 40; n += 1) {
        await store.append(of(n), 'no-stream', [received()])
        await mine.load({ stream: of(n), decider })
      }
      readStream.mockClear()
      await mine.load({ stream: of(from), decider })
      return readStream.mock.calls[0]?.[1]
    }
    expect(await readAgain(100, 10)).toBe(1)
    expect(await readAgain(200, 1_000_000)).toBe(0)
  })

  it('refuses, and says that nothing has to be written, only by what the log has now', async () => {
    const store = memoryEventStore()
    const [mine, other] = [createExecutor(store), createExecutor(store)]
    await mine.execute(order({ type: 'receive' }))
    await other.execute(order({ type: 'read' }, { commandId: 'elsewhere' }))
    expect((await mine.execute(order({ type: 'read' }, { expectedVersion: 2 }))).state).toBe(3)
    await other.execute(order({ type: 'read' }))
    await expect(mine.execute(order({ type: 'read' }, { expectedVersion: 3 }))).rejects.toThrow(StaleVersion)
    const nothing = await mine.execute(order({ type: 'receive' }))
    expect(nothing).toMatchObject({
      state: 4,
      position: null,
      types: ['MessageReceived', 'MessageMarkedRead'],
    })
    const repeated = await mine.execute(order({ type: 'read' }, { commandId: 'elsewhere' }))
    expect(repeated).toMatchObject({ repeated: true, types: ['MessageMarkedRead'] })
  })

  it('loads what another process appended since', async () => {
    const store = memoryEventStore()
    const mine = createExecutor(store)
    await mine.execute(order({ type: 'receive' }))
    await createExecutor(store).execute(order({ type: 'read' }))
    expect(await mine.load({ stream: 'message-1', decider: counter })).toBe(2)
  })
})

it('a command goes on behind what another program wrote into its stream, also where that is all', async () => {
  const store = memoryEventStore()
  const foreign = (): NewEvent => ({ ...received(), type: foreignType, data: { type: 'OrderPlaced' } })
  await store.append('message-1', 'no-stream', [foreign()])
  const executor = createExecutor(store)
  await executor.execute(order({ type: 'receive' }))
  // More than are read at once.
  for (let n = 0; n < 40; n += 1) await store.append('message-1', n + 1, [foreign()])
  const { state, types } = await executor.execute(order({ type: 'read' }, { expectedVersion: 1 }))
  expect([state, types]).toEqual([2, ['MessageMarkedRead']])
  expect(await createExecutor(store).execute(order({ type: 'receive' }))).toMatchObject({
    state: 2,
    upTo: store.events.at(-1)?.position,
    types: ['MessageReceived', 'MessageMarkedRead'],
  })
})
