import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { freshStream, someEvent } from '../../testing/contracts/some-events.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openEventStore } from './event-store.ts'

/** The process of whatever server `EVENTSTORE_URL` names, and the command that starts it again on the same data. */
const pid = Number(process.env['EVENTSTORE_PID'] ?? 0)
const startAgain = process.env['EVENTSTORE_START'] ?? ''

const noPid = pid === 0 ? ' (skipped: EVENTSTORE_PID is not set)' : ''
const noStart = startAgain === '' ? ' (skipped: EVENTSTORE_START is not set)' : ''

const patient = { timeout: 60_000, interval: 200 }
const minutes = { timeout: 120_000 }

await describeOnServers('a given log server', ['eventstore'], ({ eventstore: { url } }) => {
  const store = openEventStore({
    address: url,
    namespace: `p${randomUUID().slice(0, 8)}`,
    log: { warn: () => undefined },
  })
  afterAll(() => store.close())

  /** Writes one event after another until one is refused. @returns the ids of those that were acknowledged */
  const untilAway = async (stream: string, then: () => void): Promise<readonly string[]> => {
    const acknowledged: string[] = []
    for (;;) {
      const event = someEvent(acknowledged.length)
      const last = acknowledged.length - 1
      const written = store
        .append(stream, last < 0 ? 'no-stream' : last, [event])
        .catch((error: unknown) => error)
      if (acknowledged.length === 5) then()
      const answer = await Promise.race([written, pause(10_000, 'no answer')])
      if (answer instanceof EngineAway) return acknowledged
      expect(answer).toMatchObject({ revision: last + 1 })
      acknowledged.push(event.id)
    }
  }
  const expectBack = async (stream: string, acknowledged: readonly string[]): Promise<void> => {
    const ids = async () => (await store.readStream(stream, 0)).map(({ id }) => id)
    // One without an answer may be there besides.
    await expect.poll(() => ids().catch(() => []), patient).toEqual(expect.arrayContaining([...acknowledged]))
    expect((await ids()).length).toBeLessThanOrEqual(acknowledged.length + 1)
    const append = () =>
      store.append(freshStream(), 'no-stream', [someEvent(0)]).catch((error: unknown) => error)
    await expect.poll(append, patient).toMatchObject({ revision: 0 })
  }

  it.skipIf(pid === 0)(
    'counts as away while it is frozen (skipped: EVENTSTORE_PID is not set)',
    minutes,
    async () => {
      const stream = freshStream()
      try {
        const acknowledged = await untilAway(stream, () => process.kill(pid, 'SIGSTOP'))
        process.kill(pid, 'SIGCONT')
        await expectBack(stream, acknowledged)
      } finally {
        process.kill(pid, 'SIGCONT')
      }
    },
  )

  it.skipIf(noPid + noStart !== '')(
    `loses nothing that was acknowledged when it is killed${noPid || noStart}`,
    minutes,
    async () => {
      const stream = freshStream()
      const acknowledged = await untilAway(stream, () => process.kill(pid, 'SIGKILL'))
      await promisify(execFile)('/bin/sh', ['-c', startAgain])
      await expectBack(stream, acknowledged)
    },
  )
})
