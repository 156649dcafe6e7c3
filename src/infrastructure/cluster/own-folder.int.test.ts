import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeOwnFolder, removeOwnFolder } from './own-folder.ts'

it('removes the folders of processes that were killed, and leaves those of others that live', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atelier-own-'))
  // no process has so high a number; the first one of a machine always lives
  const [dead, alive, elsewhere] = ['99999999-a', '1-b']
    .map((id) => join(dataDir, `process-${hostname()}-${id}`))
    .concat(join(dataDir, 'process-another.machine-99999999-c'))
  for (const folder of [dead, alive, elsewhere]) await mkdir(folder ?? '')
  const [one, other] = [makeOwnFolder(dataDir), makeOwnFolder(dataDir)]
  expect([dead, alive, elsewhere, one, other].map((folder) => existsSync(folder ?? ''))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ])
  await removeOwnFolder(one)
  expect([one, other].map((folder) => existsSync(folder))).toEqual([false, true])
  await rm(dataDir, { recursive: true })
})
