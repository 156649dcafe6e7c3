import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const readVersion = (): string => {
  const file = join(import.meta.dirname, '../../package.json')
  // Our own file, which always has a version.
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
