import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from './clock.ts'
import { readConfig } from './config/config.ts'
import { freshStream, someEvent } from './contracts/some-events.ts'
import { openEngines } from './engines.ts'
import { createLog } from './log/log.ts'
import { lostLog } from './lost-log.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-lost-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('whether a log has been lost', () => {
  it('is not said of one that grows, with its mark, while it is looked at', async () => {
    const config = readConfig({ DATA_DIR: folder })
    const engines = await openEngines(config, systemClock, createLog('silent'))
    try {
      const { eventStore, logMark } = engines
      let events = 0
      const grow = async (): Promise<void> => {
        const { position } = await eventStore.append(freshStream(), 'no-stream', [someEvent((events += 1))])
        await logMark.place(position)
      }
      /** Another process writes as soon as one of the two has been read, whichever that is. */
      const thenGrow =
        <T>(read: () => Promise<T>) =>
        async (): Promise<T> => {
          const found = await read()
          await grow()
          return found
        }
      await grow()
      const beside = {
        ...engines,
        eventStore: { ...eventStore, head: thenGrow(() => eventStore.head()) },
        logMark: { ...logMark, read: thenGrow(() => logMark.read()) },
      }
      expect(await lostLog(beside, config)).toBeNull()
      expect(events).toBe(3)
    } finally {
      await engines.close()
    }
  })
})
