import type { JobState } from '#application/ports/job-queue.ts'
import { Refusal } from '#domain/refusal.ts'
import { given } from './given.ts'
import type { CommandGroup, Operation } from './operation.ts'

const list: Operation = {
  name: 'jobs list',
  needs: 'site',
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
  needs: 'site',
  run: async ({ engines }, args) => {
    const id = given(args, 'id')
    if (!(await engines.jobs.retry(id))) throw new Refusal('missing', `There is no parked job ${id}`)
    return { message: `Job ${id} is run again.` }
  },
}

export const jobs: CommandGroup = {
  operations: [list, retry],
  commands: (program, run) => {
    const group = program.command('jobs').description('Background work: pictures, the blog’s mirror, mail')
    group
      .command('list')
      .description('what waits, runs or is parked, with the reason')
      .option('--all', 'also what is done', false)
      .action(({ all }: { readonly all: boolean }) => run(list, { all: String(all) }))
    group
      .command('retry')
      .description('run a parked job again')
      .argument('<id>')
      .action((id: string) => run(retry, { id }))
  },
}
