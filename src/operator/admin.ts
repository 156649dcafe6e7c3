import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setPassword } from '#application/accounts/accounts.ts'
import { openSessions } from '#application/kernel/session-holds.ts'
import { machineLimits } from '#domain/machine-limits.ts'
import { Refusal } from '#domain/refusal.ts'
import { given, type CommandGroup, type Operation, type EnginePorts } from './command/operation.ts'

const accountOf = async ({ engines }: EnginePorts, username: string) => {
  const account = await engines.accounts.findByUsername(username)
  if (account === null) throw new Refusal('missing', `There is no account called ${username}`)
  return account
}

/** The account that is meant: the one that is named, else the only one, else that of `ADMIN_USERNAME`. */
const meantAccount = async ({ engines, config }: EnginePorts, username: string): Promise<string> => {
  if (username !== '') return username
  const [only, ...others] = await engines.accounts.all()
  if (only === undefined) throw new Refusal('missing', 'There is no account yet: start the site once')
  if (others.length === 0) return only.username
  const own = await engines.accounts.findByUsername(config.adminUsername)
  if (own === null) {
    const names = [only, ...others].map((account) => account.username).join(', ')
    throw new Refusal('invalid', `There are several accounts, name one of them: ${names}`)
  }
  return own.username
}

const setThePassword: Operation = {
  name: 'admin set-password',
  needs: 'engines',
  run: async (ports, args) => {
    const { engines, clock } = ports
    // Loaded for this command alone: it brings the hashing along.
    const { createPasswords } = await import('#infrastructure/passwords/passwords.ts')
    const username = await meantAccount(ports, args['username'] ?? '')
    await setPassword(
      { accounts: engines.accounts, sessions: engines.sessions, clock, passwords: createPasswords() },
      username,
      given(args, 'password'),
    )
    return { message: `The password of ${username} was changed; all sessions were ended.` }
  },
}

const sessions: Operation = {
  name: 'admin sessions',
  needs: 'engines',
  run: async (ports, args) => {
    const account = await accountOf(ports, await meantAccount(ports, args['username'] ?? ''))
    if (args['end'] === 'all') {
      const ended = await ports.engines.sessions.removeOthers(account.id, null)
      return { message: `${ended} sessions were ended.` }
    }
    const end = args['end'] ?? ''
    if (end !== '' && !(await ports.engines.sessions.removeById(account.id, end))) {
      throw new Refusal('missing', `There is no session ${end}`)
    }
    const all = await openSessions(ports.engines.sessions, account, ports.clock.now())
    const open = all.map(({ id, device, address, createdAt, lastSeenAt }) => ({
      id,
      device,
      address,
      createdAt,
      lastSeenAt,
    }))
    const lines = open.map((each) => `${each.id}  ${each.lastSeenAt}  ${each.device}  ${each.address}`)
    return { message: lines.length === 0 ? 'Nobody is signed in.' : lines.join('\n'), data: open }
  },
}

/** Takes in what a terminal would show of what is typed. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })

/** Some say it twice, as they would at the terminal. */
const pipedPassword = (piped: string): string => {
  const [password = '', ...again] = piped.replace(/[\r\n]+$/, '').split(/\r?\n/)
  if (again.some((line) => line !== password))
    throw new Refusal('invalid', 'The password is one line, or the same line twice. Nothing was changed')
  return password
}

/** A password from the terminal, which does not show it, or from a pipe. */
const readPassword = async (): Promise<string> => {
  if (!process.stdin.isTTY) return pipedPassword(await text(process.stdin))
  const lines = createInterface({ input: process.stdin, output: nowhere(), terminal: true, historySize: 0 })
  const broken = new Promise<never>((_resolve, reject) => {
    lines.once('SIGINT', () => reject(new Refusal('invalid', 'Nothing was changed')))
  })
  const typed = async (question: string): Promise<string> => {
    // Nothing that is typed is shown: the reader writes nowhere.
    process.stderr.write(question)
    try {
      return await Promise.race([lines.question(''), broken])
    } finally {
      process.stderr.write('\n')
    }
  }
  try {
    const password = await typed(
      `New password (${machineLimits.minPassword} to ${machineLimits.maxPassword} characters, not shown while you type): `,
    )
    // A slip that nobody saw would lock her out.
    if ((await typed('The same again: ')) !== password)
      throw new Refusal('invalid', 'The two passwords differ. Nothing was changed')
    return password
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
      .argument('[username]', 'the account; unless named the only one, or ADMIN_USERNAME’s', '')
      .action(async (username: string) => run(setThePassword, { username, password: await readPassword() }))
    group
      .command('sessions')
      .description('list the browsers that are signed in, or end them')
      .argument('[username]', 'the account; unless named the only one, or ADMIN_USERNAME’s', '')
      .option('--end <id>', 'end this one, or `all`', '')
      .action((username: string, { end }: { readonly end: string }) => run(sessions, { username, end }))
  },
}
