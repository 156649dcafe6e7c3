import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Version of the program, from its package. */
export const readVersion = (): string => {
  const file = join(import.meta.dirname, '../../package.json')
  // Our own file, which always has a version.
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
