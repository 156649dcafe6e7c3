import { existsSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unusableIn } from './data-folder.ts'
import { openFiles } from './files.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'atelier-files-'))
})
afterEach(() => rm(root, { recursive: true }))

const lay = async (path: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), 'x')
}

it('what others leave among the files is none of the site’s', async () => {
  for (const path of [
    'originals/.DS_Store',
    'originals/Copy of a.jpg',
    'originals/.nfs00000000008e1f4200000001',
    'originals/lost+found/#12',
    'images/._b',
    'images/ab/Thumbs (1).db',
    'images/é',
    '.Trash-1000/files/a',
  ])
    await lay(path)
  await lay('originals/a')
  await lay('images/ab/320.avif')
  await symlink(join(root, 'originals', 'a'), join(root, 'originals', 'link'))
  const files = await openFiles(root)
  expect(await files.list('originals/')).toEqual(['originals/a'])
  expect(await files.list('images/')).toEqual(['images/ab/320.avif'])
  expect((await files.list('')).toSorted()).toEqual(['images/ab/320.avif', 'originals/a'])
  // Each of them can be asked for.
  for (const key of await files.list('')) expect(await files.size(key)).toBe(1)
})

it('a link that leads nowhere is named: what it stands for cannot be made', async () => {
  await mkdir(join(root, 'data'))
  for (const name of ['reserve', 'scratch', 'files', 'log.mark']) {
    const path = join(root, 'data', name)
    await symlink(join(root, 'not-mounted', name), path)
    expect(unusableIn(join(root, 'data'))).toContain(`${path} is a link that leads nowhere`)
    await rm(path)
  }
  // Those within the files are only made when something is put there.
  await mkdir(join(root, 'data', 'files'))
  for (const name of ['.incoming', 'images']) {
    const path = join(root, 'data', 'files', name)
    await symlink(join(root, 'not-mounted', name), path)
    expect(unusableIn(join(root, 'data'))).toContain(`${path} is a link that leads nowhere`)
    await rm(path)
    await mkdir(join(root, 'mounted', name), { recursive: true })
    await symlink(join(root, 'mounted', name), path)
    expect(unusableIn(join(root, 'data'))).toBeNull()
  }
  // A file is made at the other end, where there is a folder for it.
  await symlink(join(root, 'elsewhere.db'), join(root, 'data', 'atelier.db'))
  expect(unusableIn(join(root, 'data'))).toBeNull()
})

const otherDisk = '/dev/shm'
const hasOtherDisk = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(tmpdir()).dev
const why = hasOtherDisk ? '' : ' (skipped: there is no other disk here)'

it.skipIf(!hasOtherDisk)(
  `a folder of the files on another disk is named: no file comes to it${why}`,
  async () => {
    const elsewhere = await mkdtemp(join(otherDisk, 'atelier-files-'))
    try {
      const files = join(root, 'data', 'files')
      await mkdir(files, { recursive: true })
      await symlink(elsewhere, join(files, 'originals'))
      expect(unusableIn(join(root, 'data'))).toContain(
        `${join(files, 'originals')} lies on another disk than ${files}`,
      )
      await rm(files, { recursive: true })
      await mkdir(join(elsewhere, 'originals'))
      await symlink(elsewhere, files)
      expect(unusableIn(join(root, 'data'))).toBeNull()
    } finally {
      await rm(elsewhere, { recursive: true })
    }
  },
)
