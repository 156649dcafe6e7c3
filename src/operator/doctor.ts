import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { followForeign, unreadableIn } from '#application/kernel/archive/unreadable-events.ts'
import { halfFilled } from '#infrastructure/archive/filling-record.ts'
import { isShared } from '#infrastructure/config/config.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { findLoss, isNothing, lostFolder } from '#infrastructure/lost-log.ts'
import type { CommandGroup, Operation, SettingsPorts } from './command/operation.ts'
import { unlessStopped } from './command/stopping.ts'
import { type Finding, hint, problem } from './finding.ts'

const signs: Readonly<Record<Finding['level'], string>> = {
  ok: 'well   ',
  hint: 'hint   ',
  problem: 'PROBLEM',
}

/** A check that cannot even be made is a problem of its own. */
const tried = async (check: string, ask: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> => {
  try {
    return await ask()
  } catch (error) {
    const { inWords } = await import('./doctor-checks.ts')
    return problem(check, inWords(error))
  }
}

const onEngines = async (ports: SettingsPorts): Promise<readonly Finding[]> => {
  const { config, clock, log } = ports
  const checks = await import('./doctor-checks.ts')
  const lost = await lostFolder(config)
  if (lost !== null) return problem('engines', lost)
  const failing = await checks.checkServers(config)
  const noData = hint('engines', 'There is no data yet. The first start of the server makes it')
  if (!isShared(config) && !existsSync(join(config.dataDir, 'atelier.db'))) return [...noData, ...failing]
  if (failing.length > 0) return failing
  const [data, backup] = await Promise.all([import('./doctor-data.ts'), import('./doctor-backup.ts')])
  const engines = await openEngines(config, clock, log, 'read')
  const now = clock.now()
  try {
    if (isShared(config) && (await isNothing(engines)) && (await findLoss(engines, config)) === null) {
      // Its log and its accounts come last.
      const half = await halfFilled(engines.effects)
      return half === null ? noData : problem('log', half)
    }
    const foreign = followForeign()
    const reading = engines.eventStore
      .head()
      .then((head) => unreadableIn(engines.eventStore, head, { onForeign: foreign.see }))
    // That the log cannot even be read is said of the log.
    const unreadable = await reading.catch(() => null)
    const findings = await tried('engines', () => checks.checkEngines(engines, config, unreadable))
    if (findings.some(({ check, level }) => check === 'engines' && level === 'problem')) return findings
    const rest = await Promise.all([
      tried('engines', () => data.checkDataFile(engines)),
      tried('disk', () => checks.checkRoom(engines, config)),
      tried('log', () => data.checkLog(engines, config, reading, foreign.inWords)),
      tried('accounts', async () => {
        const { createPasswords } = await import('#infrastructure/passwords/passwords.ts')
        return data.checkAccounts(engines, config, createPasswords())
      }),
      tried('pictures', () => data.checkOriginals(engines)),
      tried('jobs', () => data.checkLostJobs(engines)),
      tried('letters', () => data.checkMessages(engines)),
      tried('site', async () =>
        isShared(config) ? (await import('./doctor-roles.ts')).checkRoles(engines.leases) : [],
      ),
      tried('proxy', () => checks.checkProxy(engines, config)),
      tried('clock', () => checks.checkClock(engines, config, now)),
      tried('blog', () => checks.checkBlog(engines, config)),
      tried('e-mail', () => checks.checkContact(engines, config)),
      tried('backup', () => backup.checkBackups(engines, config, now)),
    ])
    return [...findings, ...rest.flat()]
  } finally {
    await engines.close()
  }
}

const examine: Operation = {
  name: 'doctor',
  needs: 'settings',
  run: async (ports, _args, { signal }) => {
    // Loaded for this command alone: it brings the blog's reader and the mailer along.
    const checks = await import('./doctor-checks.ts')
    const asked = Promise.all([
      tried('disk', () => checks.checkDisk(ports.config)),
      tried('secrets', () => checks.checkModes(ports.config)),
      tried('site', () => checks.checkSite(ports.config)),
      tried('engines', () => onEngines(ports)),
      tried('mail', () => checks.checkMail(ports.config)),
    ])
    const findings = (await unlessStopped(signal, asked)).flat()
    const problems = findings.filter(({ level }) => level === 'problem').length
    const lines = findings.map(
      ({ check, level, message }) => `${signs[level]}  ${check.padEnd(8)} ${message}`,
    )
    lines.push(problems === 0 ? 'Nothing needs to be done.' : `${problems} of these want something done.`)
    return { ok: problems === 0, message: lines.join('\n'), data: findings }
  },
}

export const doctor: CommandGroup = {
  operations: [examine],
  commands: (program, run) => {
    program
      .command('doctor')
      .description('look at engines, disk, clock, mail, blog, backups and secrets, and say what to do')
      .action(() => run(examine))
  },
}
