import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { FileUnreadable } from '#application/kernel/ports/files.ts'
import { diskInWords, isFailing, sayingWhere, unusable, unusableAt } from './disk-words.ts'
import { DamagedData } from './embedded/sqlite-errors.ts'
import { untilCut } from './file-streams.ts'

const failure = (code: string): Error => Object.assign(new Error(`${code}: read`), { code })

it('tells a disk that is read-only from rights that are lacking', () => {
  expect(unusable(failure('EROFS')).message).toContain('read-only')
  expect(unusable(failure('EACCES')).message).toContain('check the disk and the rights')
})

it('names the place that may not be used where that is not the data folder, and leaves the rest as it is', () => {
  const other = failure('EIO')
  expect(unusableAt('/backups', other)).toBe(other)
  expect(unusableAt('/backups', unusable(other))).toMatchObject({
    name: 'EngineAway',
    message: '/backups cannot be read or written: check the disk and the rights on it',
  })
  // What is damaged there is not the site's.
  expect(unusableAt('/backups', new DamagedData())).toMatchObject({
    message: '/backups cannot be read or written: check the disk and the rights on it',
  })
  // As a disk that fails is mounted anew.
  expect(unusableAt('/backups', unusable(failure('EROFS')))).toMatchObject({
    name: 'EngineAway',
    message: '/backups lies on a disk that is read-only: make it writable, or name another place',
  })
})

it('names the file in which a stream fails, of which the system says nothing', async () => {
  const failing = new Readable({ read: () => failing.destroy(failure('EIO')) })
  const error = await buffer(sayingWhere(failing, '/data/site.tar')).catch((thrown: unknown) => thrown)
  expect(diskInWords(error)).toMatchObject({
    message:
      '/data/site.tar cannot be read or written, the disk is failing: save what there is, and replace it',
  })
})

it('counts a file that the disk does not give as one of which not all is there', async () => {
  const failing = new Readable({ read: () => failing.destroy(failure('EIO')) })
  const inWords = (error: Error): Error =>
    isFailing(error) ? new FileUnreadable('originals/a', { cause: error }) : error
  await expect(buffer(untilCut(failing, 'originals/a', 10, inWords))).rejects.toThrow(
    'Not all of originals/a is there: the disk cannot read it',
  )
})
