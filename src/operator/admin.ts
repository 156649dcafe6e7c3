import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { setPassword } from '#application/accounts/accounts.ts'
import { Refusal } from '#domain/refusal.ts'
import { given } from './given.ts'
import type { CommandGroup, Operation, SitePorts } from './operation.ts'

const accountOf = async ({ engines }: SitePorts, username: string) => {
  const account = await engines.accounts.findByUsername(username)
  if (account === null) throw new Refusal('missing', `There is no account called ${username}`)
  return account
}

const setThePassword: Operation = {
  name: 'admin set-password',
  needs: 'site',
  run: async ({ app, engines, passwords }, args) => {
    const username = given(args, 'username')
    await setPassword(
      { accounts: engines.accounts, sessions: engines.sessions, clock: app.clock, passwords },
      username,
      given(args, 'password'),
    )
    return { message: `The password of ${username} was changed; all sessions were ended.` }
  },
}

const sessions: Operation = {
  name: 'admin sessions',
  needs: 'site',
  run: async (ports, args) => {
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
    const open = (await ports.engines.sessions.listByAccount(account.id, now)).map(
      ({ id, device, address, createdAt, lastSeenAt }) => ({ id, device, address, createdAt, lastSeenAt }),
    )
    const lines = open.map((each) => `${each.id}  ${each.lastSeenAt}  ${each.device}  ${each.address}`)
    return { message: lines.length === 0 ? 'Nobody is signed in.' : lines.join('\n'), data: open }
  },
}

/** A password from the terminal, or from a pipe. */
const readPassword = async (): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '')
  process.stderr.write('New password (8 to 128 characters, shown while you type): ')
  const lines = createInterface({ input: process.stdin })
  try {
    const { value } = await lines[Symbol.asyncIterator]().next()
    return typeof value === 'string' ? value : ''
  } finally {
    lines.close()
  }
}

export const admin: CommandGroup = {
  operations: [setThePassword, sessions],
  commands: (program, run) => {
    const group = program.command('admin').description('The owner’s account')
    group
      .command('set-password')
      .description('set a new password, read from the terminal or a pipe; ends all sessions')
      .argument('[username]', 'the account', 'admin')
      .action(async (username: string) => run(setThePassword, { username, password: await readPassword() }))
    group
      .command('sessions')
      .description('list the browsers that are signed in, or end them')
      .argument('[username]', 'the account', 'admin')
      .option('--end <id>', 'end this one, or `all`', '')
      .action((username: string, { end }: { readonly end: string }) => run(sessions, { username, end }))
  },
}
