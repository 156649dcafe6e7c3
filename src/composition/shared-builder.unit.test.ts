import { expect, it } from 'vitest'
import type { WatchedLeases } from '#application/kernel/ports/leases.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { memoryEventStore } from '#application/testing/memory-event-store.ts'
import { memoryLedger } from '#application/testing/memory-ledger.ts'
import { openLeases } from '#infrastructure/embedded/leases.ts'
import { createLog } from '#infrastructure/log/log.ts'
import type { EnginePorts } from '#operator/command/operation.ts'
import type { OperatorOrder, OperatorOutcome } from '#operator/command/order.ts'
import { takeRequests } from '#operator/command/request-box.ts'
import { allProjections } from '#projections/all-projections.ts'
import type { BuildReport } from '#projections/runtime/rebuild.ts'
import { viewLease } from '#projections/view-leases.ts'
import { withSharedProjector } from './shared-builder.ts'

const everyMs = 5

const artworks = allProjections.find(({ view }) => view.name === 'artworks')
if (artworks === undefined) throw new Error('There is no view artworks')

const lead = async (leases: WatchedLeases, holder: string) => {
  const lease = await leases.tryAcquire(viewLease(artworks), holder)
  if (lease === null) throw new Error('Somebody leads it already')
  return lease
}

const reportOf = (views: BuildReport['views']): OperatorOutcome => ({
  ok: views.length > 0,
  message: '',
  data: { events: 3, views, switched: views.length > 0 } satisfies BuildReport,
})

it('asks the next that leads a view when the first has given it away before its turn', async () => {
  const [leases, effects, asked] = [openLeases(), memoryLedger(), [] as string[]]
  const built = { view: 'artworks', version: 3, documents: 2, differences: [], parked: [] }
  const first = await lead(leases, 'first')
  const answers = {
    first: async () => {
      await first.release()
      await lead(leases, 'second')
      return reportOf([])
    },
    second: async () => reportOf([built]),
  }
  const processes = (['first', 'second'] as const).map((of) =>
    takeRequests(
      { effects, of, everyMs },
      {
        isMine: () => true,
        carryOut: (order: OperatorOrder) => {
          asked.push(`${of}: ${order.operation} ${order.args['views']}`)
          return answers[of]()
        },
        log: { warn: () => undefined },
      },
    ),
  )
  const task = { signal: new AbortController().signal, progress: () => undefined }
  // It uses no more of the engines than these.
  const ports = { engines: { leases, effects, everyMs } } as unknown as EnginePorts
  const outcome = await withSharedProjector(ports, task, async (build) => {
    const report = await build('rebuild', {
      views: ['artworks'],
      fresh: false,
      signal: task.signal,
      onProgress: () => undefined,
    })
    return { ok: report.switched, message: '', data: report }
  })
  await Promise.all(processes.map(({ stop }) => stop()))
  expect(asked).toEqual(['first: projections rebuild artworks', 'second: projections rebuild artworks'])
  expect(outcome).toEqual({ ok: true, message: '', data: { events: 3, views: [built], switched: true } })
})

it('goes on when the machine was too busy to keep its leases', async () => {
  const held = openLeases()
  const lost: AbortSignal[] = [AbortSignal.abort()]
  const leases: WatchedLeases = {
    ...held,
    tryAcquire: async (name, holder) => {
      const lease = await held.tryAcquire(name, holder)
      return lease && { ...lease, lost: lost.pop() ?? lease.lost }
    },
  }
  const task = { signal: new AbortController().signal, progress: () => undefined }
  const engines = {
    leases,
    effects: memoryLedger(),
    documents: memoryDocuments(),
    eventStore: memoryEventStore(),
  }
  // It uses no more of the engines than these, and of the rest the log alone.
  const ports = { engines, log: createLog('silent') } as unknown as EnginePorts
  const outcome = await withSharedProjector(ports, task, async (build) => {
    const options = { views: ['artworks'], fresh: false, signal: task.signal, onProgress: () => undefined }
    const report = await build('rebuild', options)
    return { ok: report.switched, message: '', data: report }
  })
  expect([lost, outcome.ok]).toEqual([[], true])
})
