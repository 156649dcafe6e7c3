import { pause } from '#application/kernel/retry.ts'
import { retryJob } from '#application/jobs/retry-job.ts'
import type { JobState } from '#application/kernel/ports/job-queue.ts'
import { Refusal } from '#domain/refusal.ts'
import { reactions } from '#jobs/reactions.ts'
import { queueAnew } from '#jobs/runtime/queue-anew.ts'
import { counted } from '#domain/list-in-words.ts'
import { given, type CommandGroup, type Operation } from './command/operation.ts'
import { isTimeToAsk } from './at-work.ts'

const list: Operation = {
  name: 'jobs list',
  needs: 'engines',
  run: async ({ engines }, args) => {
    const states: readonly JobState[] =
      args['all'] === 'true' ? ['waiting', 'running', 'parked', 'done'] : ['waiting', 'running', 'parked']
    const found = await engines.jobs.list({ states, limit: 1_000 })
    const lines = found.map(
      (job) =>
        `${job.state.padEnd(8)} ${job.name.padEnd(22)} ${job.id}${job.reason === null ? '' : `  ${job.reason}`}`,
    )
    return { message: lines.length === 0 ? 'No jobs.' : lines.join('\n'), data: found }
  },
}

const retry: Operation = {
  name: 'jobs retry',
  needs: 'engines',
  run: async ({ engines }, args) => {
    const id = given(args, 'id')
    await retryJob(engines.jobs, id)
    return { message: `Job ${id} is run again.` }
  },
}

const resume: Operation = {
  name: 'jobs resume',
  needs: 'site',
  run: async ({ engines }, _args, { signal }) => {
    // What the log does not know as ended was done for nobody, as by another site at the same queue.
    await engines.jobs.forgetDone()
    const { jobs, queued } = await queueAnew({ ...engines, reactions }, signal)
    const rest = jobs === queued ? '' : ` ${jobs - queued} of them follow when there is room.`
    return {
      message: `${counted(jobs, 'job')} that the log shows begun and not ended: queued, unless the queue has them.${rest}`,
      data: { jobs },
    }
  },
}

/** How often the queue is asked how much is left, in ms. */
const lookEveryMs = 250
const mostCounted = 10_000
/** What follows from a job, as the sizes from a copied image, is placed a moment after it: so many looks must agree. */
const quietLooks = 2

const drain: Operation = {
  name: 'jobs drain',
  needs: 'site',
  run: async ({ engines, runsJobs }, _args, { signal, progress }) => {
    let most = 0
    for (let look = 0, quiet = 0; ; look += 1) {
      const left = (await engines.jobs.list({ states: ['waiting', 'running'], limit: mostCounted })).length
      if (left > 0 && isTimeToAsk(look) && !(await runsJobs()))
        throw new Refusal('blocked', `${left} jobs are open and no worker runs: start the server first`)
      quiet = left === 0 ? quiet + 1 : 0
      if (quiet === quietLooks) break
      most = Math.max(most, left)
      progress({ what: 'Waiting for background work', done: most - left, total: most, unit: 'jobs' })
      if (signal.aborted) throw new Refusal('blocked', `Stopped; ${left} jobs are still open and go on`)
      await pause(lookEveryMs, signal)
    }
    const parked = await engines.jobs.list({ states: ['parked'], limit: mostCounted })
    const message = [
      parked.length === 0
        ? 'Nothing waits or runs.'
        : `Nothing waits or runs; ${parked.length} jobs are parked: "atelier jobs list" says why.`,
      // What the log asks for is put into the queue by a worker alone.
      ...((await runsJobs())
        ? []
        : ['No worker runs: what the log asks for and none has seen is queued once one is started.']),
    ].join(' ')
    return { ok: parked.length === 0, message, data: { done: most, parked: parked.length } }
  },
}

export const jobs: CommandGroup = {
  operations: [list, retry, resume, drain],
  commands: (program, run) => {
    const group = program.command('jobs').description('Background work: pictures, the blog’s mirror, mail')
    group
      .command('list', { isDefault: true })
      .description('what waits, runs or is parked, with the reason')
      .option('--all', 'also what is done', false)
      .action(({ all }: { readonly all: boolean }) => run(list, { all: String(all) }))
    group
      .command('retry')
      .description('run a parked job again, or a waiting one at once')
      .argument('<id>')
      .action((id: string) => run(retry, { id }))
    group
      .command('resume')
      .description('queue again what the log shows begun and not ended, as after the job queue was lost')
      .action(() => run(resume))
    group
      .command('drain')
      .description('wait until no job waits or runs, also those that wait for another try')
      .action(() => run(drain))
  },
}
