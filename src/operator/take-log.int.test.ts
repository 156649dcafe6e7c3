import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createExecutor } from '#application/kernel/execute.ts'
import { ownerCommand } from '#application/testing/application.ts'
import { messageAggregate } from '#domain/messages/message.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { reactions } from '#jobs/reactions.ts'
import { leftWork } from '#jobs/runtime/left-work.ts'
import { placeReactor, startReactor } from '#jobs/runtime/reactor.ts'
import { takeLog } from './take-log.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

it('queues what there was no room for when a log is taken as it is', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-take-log-'))
  const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: quiet })
  await placeReactor(engines)
  const reactor = startReactor({ ...engines, reactions, log: quiet, mostOpen: 0 })
  await createExecutor(engines.eventStore).execute({
    ...messageAggregate('m'),
    command: { type: 'ReceiveMessage', subject: 'general', artworkId: null, sealed: 'v1.x' },
    context: ownerCommand(),
    expectedVersion: null,
  })
  await expect.poll(() => leftWork(engines.effects)).not.toBeNull()
  await reactor.stop()

  await takeLog(engines)
  expect((await engines.jobs.list()).map(({ subjectId }) => subjectId)).toEqual(['m'])
  await engines.close()
})
