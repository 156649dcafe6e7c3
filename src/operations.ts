import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setPassword } from '#application/accounts/accounts.ts'
import type { Application } from '#application/app.ts'
import type { CommandContext } from '#application/envelope.ts'
import type { JobState } from '#application/ports/job-queue.ts'
import type { Passwords } from '#application/ports/passwords.ts'
import { addSamples, removeSamples } from '#application/samples/samples.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Engines } from '#infrastructure/engines.ts'

/** What an operator's command works on: the running server's parts, or parts opened for it alone. */
export interface OperatorPorts {
  readonly app: Application
  readonly engines: Engines
  readonly passwords: Passwords
}

/** One thing an operator can have done. Arguments and results are JSON, for they may pass a socket. */
type Operation = (
  ports: OperatorPorts,
  args: Readonly<Record<string, string>>,
) => Promise<{ readonly message: string; readonly data?: unknown }>

const context = (name: string, now: Date): CommandContext => {
  const id = randomUUID()
  return { commandId: id, correlationId: id, causationId: id, actor: { kind: 'system', name }, now }
}

const given = (args: Readonly<Record<string, string>>, name: string): string => {
  const value = args[name]
  if (value === undefined || value === '') throw new Refusal('invalid', `${name} is missing`)
  return value
}

/** Where the sample pictures lie, beside `src`. */
export const samplePath = (file: string): string => join(import.meta.dirname, '../samples', file)

const accountOf = async ({ engines }: OperatorPorts, username: string) => {
  const account = await engines.accounts.findByUsername(username)
  if (account === null) throw new Refusal('missing', `There is no account called ${username}`)
  return account
}

/** Every operation that `atelier` hands to a running server, or carries out itself while none runs (decisions 77). */
export const operations = {
  'samples add': async ({ app }) => {
    await addSamples(app, samplePath, context('samples', app.clock.now()))
    return { message: 'The sample works, texts and posts were added.' }
  },
  'samples remove': async ({ app }) => {
    await removeSamples(app, context('samples', app.clock.now()))
    return { message: 'The sample content was removed.' }
  },
  'admin set-password': async ({ app, engines, passwords }, args) => {
    const username = given(args, 'username')
    await setPassword(
      { accounts: engines.accounts, sessions: engines.sessions, clock: app.clock, passwords },
      username,
      given(args, 'password'),
    )
    return { message: `The password of ${username} was changed; all sessions were ended.` }
  },
  'admin sessions': async (ports, args) => {
    const account = await accountOf(ports, given(args, 'username'))
    if (args['end'] === 'all') {
      const ended = await ports.engines.sessions.removeOthers(account.id, null)
      return { message: `${ended} sessions were ended.` }
    }
    const end = args['end'] ?? ''
    if (end !== '' && !(await ports.engines.sessions.removeById(account.id, end))) {
      throw new Refusal('missing', `There is no session ${end}`)
    }
    const now = ports.app.clock.now().toISOString()
    const sessions = (await ports.engines.sessions.listByAccount(account.id, now)).map(
      ({ id, device, address, createdAt, lastSeenAt }) => ({ id, device, address, createdAt, lastSeenAt }),
    )
    const lines = sessions.map((each) => `${each.id}  ${each.lastSeenAt}  ${each.device}  ${each.address}`)
    return { message: lines.length === 0 ? 'Nobody is signed in.' : lines.join('\n'), data: sessions }
  },
  'jobs list': async ({ engines }, args) => {
    const states: readonly JobState[] =
      args['all'] === 'true' ? ['waiting', 'running', 'parked', 'done'] : ['waiting', 'running', 'parked']
    const jobs = await engines.jobs.list({ states, limit: 1_000 })
    const lines = jobs.map(
      (job) =>
        `${job.state.padEnd(8)} ${job.name.padEnd(22)} ${job.id}${job.reason === null ? '' : `  ${job.reason}`}`,
    )
    return { message: lines.length === 0 ? 'No jobs.' : lines.join('\n'), data: jobs }
  },
  'jobs retry': async ({ engines }, args) => {
    const id = given(args, 'id')
    if (!(await engines.jobs.retry(id))) throw new Refusal('missing', `There is no parked job ${id}`)
    return { message: `Job ${id} is run again.` }
  },
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations

/** Whether a name that came over a socket is that of an operation. */
export const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name)
