import type { Logger } from '#application/kernel/ports/logger.ts'
import { ensureFirstAccount } from '#application/accounts/accounts.ts'
import type { Application } from '#application/application.ts'
import { ownContext } from '#application/kernel/envelope.ts'
import type { Passwords } from '#application/kernel/ports/passwords.ts'
import { type Config, ConfigError } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'

/** What a first start has made, for whoever tells of the site that is open. */
export interface Prepared {
  /** the password that was made up for the first account, to be shown once; null when none was */
  readonly firstPassword: string | null
  /** hashes of the sample images, whose sizes are still to be made; none when no samples were added */
  readonly images: readonly string[]
}

const samplesKey = 'samples'
/** Stands in the ledger once an account was here: a log with events alone may be imported, or of a start cut off. */
const accountKey = 'account'

/**
 * What a site needs before it opens and only its first start lacks: the samples and the first account.
 * @param wasEmpty nothing stood in the log when the process started
 * @param beforeSamples called when the samples are about to be added
 * @throws {ConfigError} when the first account would get one of the commonest passwords
 */
export const prepareFirstStart = async (
  ports: {
    readonly app: Application
    readonly engines: Pick<Engines, 'accounts' | 'effects'>
    readonly passwords: Passwords
    readonly config: Pick<Config, 'adminUsername' | 'adminPassword' | 'samples' | 'eventStoreUrl'>
    readonly log: Pick<Logger, 'warn'>
  },
  wasEmpty: boolean,
  beforeSamples: () => void = () => undefined,
): Promise<Prepared> => {
  const { app, engines, passwords, config, log } = ports
  const { clock } = app
  let images: readonly string[] = []
  const { adminUsername: username, adminPassword: password } = config
  // Before it is looked whether there is one: another process may make it meanwhile, and note it.
  const hadAccount = (await engines.effects.find(accountKey)) !== null
  const lacksAccount = (await engines.accounts.count()) === 0
  if (password !== null && lacksAccount && (await passwords.isCommon(password))) {
    throw new ConfigError([
      'ADMIN_PASSWORD is among the most common passwords: choose another, a few words for example',
    ])
  }
  if (lacksAccount && hadAccount) {
    log.warn(
      {},
      'There is no account any more: the first one is made anew from ADMIN_USERNAME and ADMIN_PASSWORD. The one ' +
        'before was lost, and its password with it',
    )
  }
  if (config.samples === 'auto' && config.eventStoreUrl === null) {
    // A start that was killed while adding the samples goes on with them: each step is carried out once.
    const begun = await engines.effects.find(samplesKey)
    if (wasEmpty || begun?.state === 'started') {
      const [{ addSamples }, { samplePath }] = await Promise.all([
        import('#application/samples/samples.ts'),
        import('#operator/samples.ts'),
      ])
      beforeSamples()
      await engines.effects.started(samplesKey, '')
      images = await addSamples(app, samplePath, ownContext('first-start', 'first-start', clock.now()))
      await engines.effects.done(samplesKey, '')
    }
  }
  // Last, right before it is printed: a start that is cut off must not leave a password that nobody has seen.
  const firstPassword = await ensureFirstAccount(
    { accounts: engines.accounts, passwords, clock },
    { username, password },
  )
  // Its only use is that warning: a start on a full disk goes on without.
  if (!hadAccount)
    await engines.effects
      .done(accountKey, '')
      .catch((error: unknown) => log.warn({ err: error }, 'That there is an account could not be noted'))
  return { firstPassword, images }
}
