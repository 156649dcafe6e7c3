import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '#infrastructure/testing/free-port.ts'

const root = join(import.meta.dirname, '..', '..')
/** Also on a machine that stands still for a while. */
const healthyWithinSeconds = '600'

/** One run of the compose file under a name of its own, on free ports, with secrets of its own. */
export type Compose = {
  readonly name: string
  readonly url: string
  readonly adminPassword: string
  /** `docker compose …`. @returns what it printed @throws with both outputs when it fails */
  readonly compose: (...args: readonly string[]) => Promise<string>
  /** `docker compose up`, until every service is healthy. @throws when one is not within ten minutes */
  readonly up: (...args: readonly string[]) => Promise<string>
  /** The same from now on with every secret in a file, the settings themselves empty. */
  readonly secretsInFiles: () => Promise<void>
  /** A setting of all services and commands from now on. */
  readonly set: (name: string, value: string) => void
  /** removes those files */
  readonly removeSecrets: () => Promise<void>
  /** ids of a service's containers */
  readonly containers: (service: string) => Promise<readonly string[]>
  /** `docker …` on containers and images */
  readonly docker: (...args: readonly string[]) => Promise<string>
  /** `ops/rolling-update` */
  readonly rollingUpdate: () => Promise<string>
}

const run = async (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> => {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    }),
  ])
  if (code === 0) return output.trim()
  throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}\n${errors}`)
}

/** Makes ready for a run; nothing is started. The addresses of engines in the environment are left out of it. */
export const prepareCompose = async (): Promise<Compose> => {
  const secret = (): string => randomBytes(24).toString('hex')
  const name = `atelier-story-${randomBytes(4).toString('hex')}`
  const port = await freePort()
  const adminPassword = secret()
  const secrets = { SECRET: secret(), ADMIN_PASSWORD: adminPassword, REDIS_PASSWORD: secret() }
  const env: Record<string, string> = {
    COMPOSE_PROJECT_NAME: name,
    HTTP_BIND: `127.0.0.1:${port}`,
    HTTPS_BIND: `127.0.0.1:${await freePort()}`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...secrets,
    EVENTSTORE_URL: '',
    MONGODB_URL: '',
    REDIS_URL: '',
    LOG_LEVEL: 'warn',
    // The stand-in for MongoDB may fill a heap of a gigabyte; the real one is told how large its cache may grow.
    MONGODB_MEMORY: '1280m',
  }
  let folder: string | null = null
  const compose = (...args: readonly string[]) => run('docker', ['compose', ...args], env)
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    adminPassword,
    compose,
    up: (...args) => compose('up', '--detach', '--wait', '--wait-timeout', healthyWithinSeconds, ...args),
    secretsInFiles: async () => {
      folder = await mkdtemp(join(tmpdir(), 'atelier-secrets-'))
      for (const [name, value] of Object.entries(secrets)) {
        const file = join(folder, name)
        // Each container reads it as a user of its own.
        await writeFile(file, `${value}\n`, { mode: 0o644 })
        env[`${name}_FILE`] = file
        env[name] = ''
      }
      await chmod(folder, 0o755)
    },
    set: (setting, value) => {
      env[setting] = value
    },
    removeSecrets: async () => {
      if (folder !== null) await rm(folder, { recursive: true })
    },
    containers: async (service) =>
      (await compose('ps', '--all', '--quiet', service)).split('\n').filter(Boolean),
    docker: (...args) => run('docker', args, env),
    rollingUpdate: () => run(join(root, 'ops', 'rolling-update'), ['--wait', healthyWithinSeconds], env),
  }
}
