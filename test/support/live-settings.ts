import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** Settings that lead from a test to what a site has: its servers, its mail, its backups, its receiver of traces. */
const leadOut =
  /^(?:EVENTSTORE_URL|MONGODB_URL|REDIS_URL|SMTP_URL|BACKUP_DIR|OTEL_EXPORTER_OTLP_ENDPOINT)(?:_FILE)?$/

/** The names of such settings in the text of a `.env`. */
export const leadingOut = (text: string): readonly string[] =>
  Object.entries(parseEnv(text))
    .filter(([name, value]) => value !== '' && leadOut.test(name))
    .map(([name]) => name)

/**
 * Keeps tests and benches away from a site: servers and commands that they start would read its `.env`, and work on it.
 * @param root the repository's folder
 * @throws Error when its `.env` is that of such a site
 */
export const refuseLiveSettings = (root: string): void => {
  const file = join(root, '.env')
  const names = existsSync(file) ? leadingOut(readFileSync(file, 'utf8')) : []
  if (names.length > 0)
    throw new Error(
      `${names.join(', ')} in .env: tests and benches would work on that site. Run them in a clone of their own, without a .env`,
    )
}
