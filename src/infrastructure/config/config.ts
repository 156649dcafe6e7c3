import { isMissing, reasonOf } from '#application/kernel/reason.ts'
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { machineLimits, untypable } from '#domain/machine-limits.ts'
import { addressMistakes as logAddressMistakes } from '../cluster/eventstore/address.ts'
import { telemetrySettings } from '../telemetry/environment.ts'
import { accountMistake, addressMistakes } from './server-address.ts'

const { minPassword, maxPassword } = machineLimits

const roles = ['web', 'projector', 'worker'] as const
export type Role = (typeof roles)[number]

const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= max, `must be at most ${max}`)

const webAddress = z
  .string()
  .refine(
    (value) => isUrl(value, ['http:', 'https:']),
    'must be a web address that begins with http:// or https://',
  )

/** It stands in every page, with a path behind it: what else an address may hold would be seen there, or break them. */
const isPlain = (value: string): boolean => {
  const { username, password, search, hash } = new URL(value)
  return [username, password, search, hash].every((part) => part === '')
}

const isUrl = (value: string, protocols: readonly string[]): boolean =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol)

/** @param mistakesOf an address, in words that may follow the name of the setting */
const serverAddress = (mistakesOf: (address: string) => readonly (string | null)[]) =>
  z.string().superRefine((value, context) => {
    for (const message of mistakesOf(value))
      if (message !== null) context.addIssue({ code: 'custom', message })
  })

const roleList = z
  .string()
  .transform((value) => [
    ...new Set(
      value
        .split(',')
        .map((role) => role.trim())
        .filter((role) => role !== ''),
    ),
  ])
  .pipe(z.array(z.enum(roles, `must be a list of ${roles.join(', ')}`)).min(1, 'must name at least one role'))

/** Linux says of a folder to be made there that its parent is missing, and Node then makes that one for ever. */
const folder = z
  .string()
  .refine((value) => !/^\/proc(?:\/|$)/.test(resolve(value)), 'may not lie in /proc, where nothing is kept')
  // A shell reads it so, a file .env does not: the folder would lie in that of the program.
  .refine(
    (value) => !/^~(?:\/|$)/.test(value),
    'begins with ~, which stands for no home here: write the whole path, or ./~ for a folder of that name',
  )

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Every setting, by its name in the environment (README: Settings). */
export const settings = z.object({
  PORT: wholeNumber(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: webAddress
    .refine((value) => !URL.canParse(value) || isPlain(value), 'may hold no name, password, ? or #')
    .optional(),
  TRUST_PROXY: wholeNumber(10).default(0),
  DATA_DIR: folder.default('./data'),
  ROLES: roleList.default([...roles]),
  NAMESPACE: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, 'may hold letters, digits, - and _, at most 40')
    .default(''),
  ADMIN_USERNAME: z
    .string()
    .trim()
    .max(100, 'must have at most 100 characters')
    .regex(/^\P{Cc}*[^\p{C}\p{Z}]\P{Cc}*$/u, 'must be a name that can be typed and seen')
    .default('admin'),
  ADMIN_PASSWORD: z
    .string()
    .min(minPassword, `must have at least ${minPassword} characters`)
    .max(maxPassword, `must have at most ${maxPassword} characters`)
    .refine((password) => !untypable.test(password), 'must be one line that can be typed at the login')
    .optional(),
  SAMPLES: z.enum(['auto', 'off'], 'must be auto or off').default('auto'),
  BLOG_URL: webAddress.optional(),
  EVENTSTORE_URL: serverAddress(logAddressMistakes).optional(),
  MONGODB_URL: serverAddress((url) => [
    ...addressMistakes(url, ['mongodb', 'mongodb+srv']),
    accountMistake(url),
  ]).optional(),
  REDIS_URL: serverAddress((url) => addressMistakes(url, ['redis', 'rediss'])).optional(),
  MONGODB_PASSWORD: z.string().optional(),
  REDIS_PASSWORD: z.string().optional(),
  SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  SMTP_URL: serverAddress((url) => addressMistakes(url, ['smtp', 'smtps'])).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s<>@]@[^\s<>@][^\r\n]*$/, 'must be an e-mail address')
    .max(254, 'must have at most 254 characters')
    .optional(),
  MAIL_TO: z.email('must be an e-mail address').optional(),
  BACKUP_DIR: folder.optional(),
  BACKUP_CHECK: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  FETCH_ALLOW_PRIVATE: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  ASSETS_DIR: folder.optional(),
  DRAIN_SECONDS: wholeNumber(600).default(0),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  LOG_FORMAT: z.enum(['auto', 'json', 'text'], 'must be auto, json or text').default('auto'),
})

type SettingName = keyof typeof settings.shape

/** Each of these may stand in a file instead, which `NAME_FILE` names. */
const secretNames = [
  'SECRET',
  'ADMIN_PASSWORD',
  'SMTP_URL',
  'METRICS_TOKEN',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'REDIS_URL',
  'MONGODB_PASSWORD',
  'REDIS_PASSWORD',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const satisfies readonly SettingName[]

/** The names of all settings; `.env.example` lists the same. */
export const settingNames: readonly string[] = [
  ...Object.keys(settings.shape),
  ...secretNames.map((name) => `${name}_FILE`),
]

type Environment = Readonly<Record<string, string | undefined>>

const isGiven = (value: string | undefined): value is string => value !== undefined && value.trim() !== ''

/** Secrets that stand in files, and what is wrong with those that cannot be read; no value is in a mistake. */
const secretsFromFiles = (
  environment: Environment,
): { readonly found: Environment; readonly mistakes: readonly string[] } => {
  const found: Record<string, string> = {}
  const mistakes: string[] = []
  for (const name of secretNames) {
    const file = environment[`${name}_FILE`]
    if (!isGiven(file)) continue
    try {
      const text = readFileSync(file, 'utf8')
      // Editors and `echo` end a file with a line break or several, which the containers of the servers leave out as well, and
      // some editors begin it with a mark. Of the secret one is left out alone: keys lie wrapped under the rest.
      const value = name === 'SECRET' ? text.replace(/\r?\n$/, '') : text.replace(/^\uFEFF|[\r\n]+$/g, '')
      if (isGiven(value)) found[name] = value
      else mistakes.push(`${name}_FILE names an empty file`)
    } catch (error) {
      mistakes.push(`${name}_FILE cannot be read: ${reasonOf(error)}`)
    }
  }
  return { found, mistakes }
}

/** The password goes into an address that names a user and has none; any other address stays as it is. */
const withPassword = (address: string | undefined, password: string | undefined): string | null => {
  if (address === undefined) return null
  if (password === undefined) return address
  return address.replace(
    /^([a-z+]+:\/\/[^/?#@:]+)@/,
    (_, before: string) => `${before}:${encodeURIComponent(password)}@`,
  )
}

/** An address as browsers write it, for whether it is https is read of it; without a slash at the end, or a ? or # with nothing behind. */
const writtenPlain = (address: string): string => {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`.replace(/\/+$/, '')
}

/** The settings in the words of the code. Optional ones are null when unset. */
export const configOf = (values: z.output<typeof settings>, environment: Environment) => ({
  port: values.PORT,
  host: values.HOST,
  /** made from the port when unset */
  publicUrl: writtenPlain(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`),
  publicUrlIsSet: values.PUBLIC_URL !== undefined,
  trustProxy: values.TRUST_PROXY,
  /** absolute path */
  dataDir: resolve(values.DATA_DIR),
  roles: values.ROLES as readonly Role[], // nobody adds to them
  namespace: values.NAMESPACE,
  adminUsername: values.ADMIN_USERNAME,
  adminPassword: values.ADMIN_PASSWORD ?? null,
  samples: values.SAMPLES,
  blogUrl: values.BLOG_URL ?? null,
  eventStoreUrl: values.EVENTSTORE_URL ?? null,
  mongodbUrl: withPassword(values.MONGODB_URL, values.MONGODB_PASSWORD),
  redisUrl: withPassword(values.REDIS_URL, values.REDIS_PASSWORD),
  secret: values.SECRET ?? null,
  smtpUrl: values.SMTP_URL ?? null,
  mailFrom: values.MAIL_FROM ?? null,
  mailTo: values.MAIL_TO ?? null,
  backupDir: values.BACKUP_DIR === undefined ? null : resolve(values.BACKUP_DIR),
  /** whether each night's backup is restored for a look */
  backupCheck: values.BACKUP_CHECK === '1',
  metricsToken: values.METRICS_TOKEN ?? null,
  /** null: none of it is loaded */
  telemetry: telemetrySettings({
    ...environment,
    OTEL_EXPORTER_OTLP_HEADERS: values.OTEL_EXPORTER_OTLP_HEADERS,
  }),
  fetchAllowPrivate: values.FETCH_ALLOW_PRIVATE === '1',
  /** shared by all web processes: files of the pages of every version that runs */
  assetsDir: values.ASSETS_DIR === undefined ? null : resolve(values.ASSETS_DIR),
  /** how long requests are still taken after the word to end, in ms */
  drainMs: values.DRAIN_SECONDS * 1_000,
  logLevel: values.LOG_LEVEL,
  logFormat: values.LOG_FORMAT,
})
export type Config = Readonly<ReturnType<typeof configOf>>

/** Other processes may hold the same site on these engines: nothing that counts is in this one. */
export const isShared = ({
  eventStoreUrl,
  mongodbUrl,
  redisUrl,
}: Pick<Config, 'eventStoreUrl' | 'mongodbUrl' | 'redisUrl'>): boolean =>
  eventStoreUrl !== null && mongodbUrl !== null && redisUrl !== null

/** The settings cannot be used. `message` names every mistake, a line each, and no value of a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The settings cannot be used:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`)
    this.mistakes = mistakes
  }
}

/** Of `DATA_DIR`: backups there would be gone after each start, with the keys of their letters. */
const emptiedFolders = ['scratch', 'files/.incoming'] as const

const holds = (folder: string, place: string): boolean =>
  !relative(resolve(folder), resolve(place)).startsWith('..')

/** Such a folder that the backups would lie in. */
const emptiedBy = ({ DATA_DIR, BACKUP_DIR }: z.output<typeof settings>): string | undefined =>
  BACKUP_DIR === undefined
    ? undefined
    : emptiedFolders.find((folder) => holds(join(DATA_DIR, folder), BACKUP_DIR))

/**
 * Reads the settings from an environment; empty values count as unset. A secret in a file (`NAME_FILE`) goes before
 * the one in `NAME`.
 * @throws {ConfigError} with every mistake at once
 */
export const readConfig = (environment: Environment): Config => {
  const files = secretsFromFiles(environment)
  const given = Object.fromEntries(
    Object.keys(settings.shape)
      .map((name) => [name, files.found[name] ?? environment[name]] as const)
      .filter(([, value]) => isGiven(value)),
  )
  // Checked once: code made for checking fast would cost more than it saves.
  const parsed = settings.safeParse(given, { jitless: true })
  const mistakes = [
    ...files.mistakes,
    ...(parsed.success
      ? []
      : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)),
  ]
  const has = (name: SettingName): boolean => given[name] !== undefined
  const engines = ['EVENTSTORE_URL', 'MONGODB_URL', 'REDIS_URL'] as const
  if (has('SMTP_URL') && !has('MAIL_FROM')) mistakes.push('MAIL_FROM is needed when SMTP_URL is set')
  if (has('MONGODB_URL') && !has('SECRET')) {
    mistakes.push('SECRET is needed when MONGODB_URL is set, the same for all processes')
  }
  if (parsed.success && parsed.data.ROLES.length < roles.length && !engines.every(has)) {
    const missing = engines.filter((name) => !has(name)).join(', ')
    mistakes.push(`ROLES with fewer than ${roles.join(', ')} needs shared engines: set ${missing} too`)
  }
  const emptied = parsed.success ? emptiedBy(parsed.data) : undefined
  if (emptied !== undefined)
    mistakes.push(`BACKUP_DIR may not lie in the folder ${emptied} of DATA_DIR, which each start empties`)
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)
  return configOf(parsed.data, environment)
}

/** The text of a settings file, without the mark that some editors put before its first line. */
const textOf = (bytes: Buffer, file: string): string => {
  const text = new TextDecoder().decode(bytes)
  // What is left of UTF-16, in which no setting would be found.
  if (text.includes('\0')) throw new ConfigError([`The file ${file} is UTF-16: save it as UTF-8`])
  return text
}

/**
 * The environment with what a `.env` file in the working directory adds; what is set already wins,
 * and an empty value sets nothing.
 * @throws {ConfigError} when the file is there and cannot be read
 */
export const environmentWithFile = (environment: Environment, file = '.env'): Environment => {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    // Having no file is the usual case.
    if (isMissing(error)) return environment
    throw new ConfigError([`The file ${file} cannot be read: ${reasonOf(error)}`])
  }
  const given = Object.entries(environment).filter(([, value]) => isGiven(value))
  return { ...environment, ...parseEnv(textOf(bytes, file)), ...Object.fromEntries(given) }
}
