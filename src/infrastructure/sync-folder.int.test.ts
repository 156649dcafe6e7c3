import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { syncFolder, syncFolderAtOnce } from './sync-folder.ts'

// There no folder can be synced.
const unsynced = '/proc/self'
const why = existsSync(unsynced) ? '' : ` (skipped: no ${unsynced})`

describe.each([
  ['in its turn', syncFolder],
  ['at once', async (path: string) => syncFolderAtOnce(path)],
])('a folder is synced %s', (_, sync) => {
  it.skipIf(why !== '')(`or left where its disk cannot do that${why}`, async () => {
    await expect(sync(unsynced)).resolves.toBeUndefined()
  })

  it('or said not to be there', async () => {
    await expect(sync('/nowhere/at/all')).rejects.toThrow('ENOENT')
  })
})
