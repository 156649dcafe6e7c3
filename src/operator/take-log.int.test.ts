import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createExecutor } from '#application/kernel/execute.ts'
import { reactorCheckpoint } from '#application/kernel/ports/checkpoints.ts'
import { ownerCommand } from '#application/testing/application.ts'
import { untilIdle } from '#application/testing/until-idle.ts'
import { messageAggregate } from '#domain/messages/message.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { reactions } from '#jobs/reactions.ts'
import { leftWork } from '#jobs/runtime/left-work.ts'
import { placeReactor, startReactor } from '#jobs/runtime/reactor.ts'
import { takeLog } from './take-log.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

const openNothing = () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-take-log-'))
  return openEmbedded({ dataDir, secret: null, clock: systemClock, log: quiet })
}

/** The engines of a new site, whose reactor has its place. */
const openSite = async () => {
  const engines = await openNothing()
  await placeReactor(engines)
  return engines
}

const receiveMessage = ({ eventStore }: Awaited<ReturnType<typeof openSite>>) =>
  createExecutor(eventStore).execute({
    ...messageAggregate('m'),
    command: { type: 'ReceiveMessage', subject: 'general', artworkId: null, sealed: 'v1.x' },
    context: ownerCommand(),
    expectedVersion: null,
  })

it('queues what there was no room for when a log is taken as it is', async () => {
  const engines = await openSite()
  const reactor = startReactor({ ...engines, reactions, log: quiet, mostOpen: 0 })
  await receiveMessage(engines)
  await expect.poll(() => leftWork(engines.effects)).not.toBeNull()
  await reactor.stop()

  await takeLog(engines)
  expect((await engines.jobs.list()).map(({ subjectId }) => subjectId)).toEqual(['m'])
  await engines.close()
})

it('queues anew what was done, where the log that is taken has lost the end of it', async () => {
  const engines = await openSite()
  const reactor = startReactor({ ...engines, reactions, log: quiet })
  const mailed: string[] = []
  const nothing = { run: async () => undefined, backoff: () => null }
  await engines.jobs.work({
    'process-image': nothing,
    'process-journal-image': nothing,
    'copy-artwork-picture': nothing,
    'copy-journal-pictures': nothing,
    'sync-blog': nothing,
    'mail-enquiry': { ...nothing, run: async ({ messageId }) => void mailed.push(messageId) },
  })
  await receiveMessage(engines)
  await expect.poll(() => mailed).toEqual(['m'])
  await untilIdle(engines.jobs)
  await reactor.stop()

  await takeLog(engines)
  await untilIdle(engines.jobs)
  expect(mailed).toEqual(['m', 'm'])
  await engines.close()
})

it('has taken no log before all that it shows begun is queued: what was broken off is done again', async () => {
  // As where a MongoDB was emptied beside its log.
  const engines = await openNothing()
  await receiveMessage(engines)
  const dying = { ...engines.jobs, enqueue: () => Promise.reject(new Error('The process ended')) }
  await expect(takeLog({ ...engines, jobs: dying })).rejects.toThrow('The process ended')
  // By this place a start takes the site for whole.
  expect(await engines.checkpoints.load(reactorCheckpoint)).toBeNull()

  await takeLog(engines)
  expect((await engines.jobs.list()).map(({ subjectId }) => subjectId)).toEqual(['m'])
  expect(await engines.checkpoints.load(reactorCheckpoint)).toEqual({
    position: await engines.eventStore.head(),
  })
  await engines.close()
})
