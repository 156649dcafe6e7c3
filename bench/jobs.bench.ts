import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { JobHandlers, JobQueue, NewJob } from '#application/kernel/ports/job-queue.ts'
import { pause } from '#application/kernel/retry.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { openDatabase } from '#infrastructure/embedded/database.ts'
import { openJobQueue } from '#infrastructure/embedded/job-queue.ts'
import { withFolder } from './floors.ts'
import { type Bench, type Row, row } from './row.ts'
import { servers } from './servers.ts'

const jobs = 5_000
/** One reactor batch full of events with a job each. */
const perBatch = 500
const quiet = { info: () => {}, warn: () => {}, error: () => {} }

const idle = { run: async () => {}, backoff: () => null }
const handlers: JobHandlers = {
  'process-image': { ...idle, concurrency: 8 },
  'process-journal-image': idle,
  'copy-artwork-picture': idle,
  'copy-journal-pictures': idle,
  'sync-blog': idle,
  'mail-enquiry': idle,
}
const job = (): NewJob => ({
  id: `process-image-${randomUUID()}`,
  name: 'process-image',
  data: { hash: 'a'.repeat(64) },
})

const untilDone = async (queue: JobQueue): Promise<void> => {
  while (Object.keys(await queue.open()).length > 0) await pause(20)
}

/** Jobs per second from the enqueueing of the first to the end of the last, and of the enqueueing alone. */
const ratesOf = async (queue: JobQueue): Promise<{ readonly whole: number; readonly enqueued: number }> => {
  await queue.work(handlers)
  await queue.enqueue(Array.from({ length: perBatch }, job))
  await untilDone(queue)
  const started = performance.now()
  for (let sent = 0; sent < jobs; sent += perBatch) await queue.enqueue(Array.from({ length: perBatch }, job))
  const enqueued = performance.now()
  await untilDone(queue)
  const rate = (ms: number): number => (jobs / ms) * 1000
  return { whole: rate(performance.now() - started), enqueued: rate(enqueued - started) }
}

/** What has to be written of every job: put, taken, ended; bare statements, a transaction for each of the last two. */
const bareRate = (folder: string): number => {
  const database = new DatabaseSync(join(folder, 'bare.db'))
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  database.exec('create table jobs (seq integer primary key, id text unique, state text) strict')
  const put = database.prepare("insert into jobs (id, state) values (?, 'waiting')")
  const turn = database.prepare('update jobs set state = ? where seq = ?')
  const started = performance.now()
  for (let sent = 0; sent < jobs; sent += perBatch) {
    database.exec('begin immediate')
    for (let each = 0; each < perBatch; each += 1) put.run(randomUUID())
    database.exec('commit')
  }
  for (let seq = 1; seq <= jobs; seq += 1) {
    turn.run('running', seq)
    turn.run('done', seq)
  }
  const rate = (jobs / (performance.now() - started)) * 1000
  database.close()
  return rate
}

const onRedis = async (url: string): Promise<Row[]> => {
  const { openRedis } = await import('#infrastructure/cluster/redis/open.ts')
  const redis = await openRedis({ url, namespace: `bench-${randomUUID()}`, log: quiet })
  try {
    const { whole, enqueued } = await ratesOf(redis.jobs)
    return [row('jobs on BullMQ', whole, '/s'), row('jobs enqueued on BullMQ', enqueued, '/s')]
  } finally {
    await redis.close()
  }
}

/** Jobs that do nothing, through each queue. */
const bench: Bench = {
  name: `${jobs} jobs through the queue, ${perBatch} enqueued at once, 8 at a time`,
  run: () =>
    withFolder(async (folder) => {
      const database = openDatabase(join(folder, 'atelier.db'))
      const queue = openJobQueue(database, systemClock, quiet)
      const { whole, enqueued } = await ratesOf(queue)
      await queue.close(0)
      database.close()
      const rows = [
        row('jobs in process', whole, '/s', { floor: { what: 'bare SQLite rows', value: bareRate(folder) } }),
        row('jobs enqueued in process', enqueued, '/s'),
      ]
      const url = servers.REDIS_URL
      if (url === undefined)
        console.log('Left out: jobs on BullMQ. Set REDIS_URL to a Redis that may be written to.')
      else rows.push(...(await onRedis(url)))
      return rows
    }),
}
export default bench
