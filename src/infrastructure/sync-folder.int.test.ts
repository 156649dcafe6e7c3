import { describe, expect, it } from 'vitest'
import { syncFolder, syncFolderAtOnce } from './sync-folder.ts'

describe.each([
  ['in its turn', syncFolder],
  ['at once', async (path: string) => syncFolderAtOnce(path)],
])('a folder is synced %s', (_, sync) => {
  // There no folder can be synced.
  it.skipIf(process.platform !== 'linux')('or left where its disk cannot do that', async () => {
    await expect(sync('/proc/self')).resolves.toBeUndefined()
  })

  it('or said not to be there', async () => {
    await expect(sync('/nowhere/at/all')).rejects.toThrow('ENOENT')
  })
})
