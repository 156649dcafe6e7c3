import type { VaultContents } from '#application/kernel/ports/key-vault.ts'
import { type Filled, type FilledStores, type FillOptions, fillPlace, type FillSource } from './fill.ts'
import { archiveEntries, checkArchive } from './read-archive.ts'

const archiveSource = (file: string): FillSource => ({
  check: async (options) => {
    const checked = await checkArchive(file, options)
    // Another backup of the same log goes on as well.
    return { ...checked, identity: checked.logSha256 }
  },
  entries: (signal) => archiveEntries(file, signal),
})

/**
 * Brings a backup into an empty place, as {@link fillPlace} does.
 * @param keys what the keys files hold together
 * @throws {Refusal} {DiskFull} in words, the signal's reason when aborted
 */
export const restore = (
  site: FilledStores,
  file: string,
  keys: VaultContents,
  options: FillOptions,
): Promise<Filled> => fillPlace(site, 'restore', { source: archiveSource(file), keys }, options)
