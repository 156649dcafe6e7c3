import { join } from 'node:path'
import { readClientBuild } from '#web/server/pages/build.ts'
import type { ClientBuild } from '#web/server/pages/dev-build.ts'
import { buildClient } from '../../build/client.ts'
import { builtHash, sourceHash } from '../../build/stamp.ts'

const root = join(import.meta.dirname, '..', '..')

/** The built client, built first where its sources have changed since (as `npm test` does before). */
export async function freshClientBuild(): Promise<ClientBuild> {
  if (builtHash(root) !== sourceHash(root)) await buildClient(root)
  return readClientBuild(join(root, 'dist'))
}
