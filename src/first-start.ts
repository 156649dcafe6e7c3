import { ensureFirstAccount } from '#application/accounts/accounts.ts'
import type { Application } from '#application/app.ts'
import type { CommandContext } from '#application/envelope.ts'
import type { Clock } from '#application/ports/clock.ts'
import type { Passwords } from '#application/ports/passwords.ts'
import { type Config, ConfigError } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engines.ts'

const samplesKey = 'samples'

/** The site's own commands: at its first start. */
const ownCommand = (name: string, clock: Clock): CommandContext => ({
  commandId: name,
  correlationId: name,
  causationId: name,
  actor: { kind: 'system', name },
  now: clock.now(),
})

/**
 * What a site needs before it opens and only its first start lacks: the samples and the first account.
 * @param wasEmpty nothing stood in the log when the process started
 * @throws {ConfigError} when the first account would get one of the commonest passwords (decisions 103)
 * @returns the password that was made up for the account, to be shown once; null when none was
 */
export const prepareFirstStart = async (
  ports: {
    readonly app: Application
    readonly engines: Engines
    readonly passwords: Passwords
    readonly config: Config
  },
  wasEmpty: boolean,
): Promise<{ readonly firstPassword: string | null }> => {
  const { app, engines, passwords, config } = ports
  const { clock } = app
  const { adminUsername: username, adminPassword: password } = config
  if (password !== null && (await engines.accounts.count()) === 0 && (await passwords.isCommon(password))) {
    throw new ConfigError([
      'ADMIN_PASSWORD is among the most common passwords: choose another, a few words for example',
    ])
  }
  if (config.samples === 'auto' && config.eventStoreUrl === null) {
    // A start that was killed while adding the samples goes on with them: each step is carried out once.
    const begun = await engines.effects.find(samplesKey)
    if (wasEmpty || begun?.state === 'started') {
      const [{ addSamples }, { samplePath }] = await Promise.all([
        import('#application/samples/samples.ts'),
        import('./operator/samples.ts'),
      ])
      await engines.effects.started(samplesKey, '')
      await addSamples(app, samplePath, ownCommand('first-start', clock))
      await engines.effects.done(samplesKey, '')
    }
  }
  // Last, right before it is printed: a start that is cut off must not leave a password that nobody has seen.
  const firstPassword = await ensureFirstAccount(
    { accounts: engines.accounts, passwords, clock },
    { username, password },
  )
  return { firstPassword }
}
