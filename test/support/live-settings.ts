import { join } from 'node:path'
import { environmentWithFile } from '#infrastructure/config/config.ts'

/** Settings that lead from a test to what a site has: its servers, its mail, its backups, its receiver of traces. */
const leadOut =
  /^(?:EVENTSTORE_URL|MONGODB_URL|REDIS_URL|SMTP_URL|BACKUP_DIR|OTEL_EXPORTER_OTLP_ENDPOINT)(?:_FILE)?$/

/**
 * Keeps tests and benches away from a site: servers and commands that they start would read its `.env`, and work on it.
 * @param root the repository's folder
 * @throws Error when its `.env` is that of such a site
 */
export const refuseLiveSettings = (root: string): void => {
  const names = Object.entries(environmentWithFile({}, join(root, '.env')))
    .filter(([name, value]) => value !== '' && leadOut.test(name))
    .map(([name]) => name)
  if (names.length > 0)
    throw new Error(
      `${names.join(', ')} in .env: tests and benches would work on that site. Run them in a clone of their own, without a .env`,
    )
}
