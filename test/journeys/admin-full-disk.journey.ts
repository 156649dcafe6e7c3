/// <reference lib="dom" />
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import type { Artwork } from '#web/contract/artworks.ts'
import { startSite } from '../support/site.ts'
import { chooseTab, expect, expectToast, openDashboard, test } from './dashboard.ts'
import { oneImage, painting } from './images.ts'
import { ownerOf } from './owner.ts'

const run = promisify(execFile)
const FULL = 'The disk is full: free some space, then try again'

test.skip(
  process.platform !== 'linux' || process.getuid?.() !== 0,
  'a disk of its own can be mounted by root on Linux only',
)

type Disk = {
  readonly path: string
  fill: () => Promise<void>
  makeRoom: () => Promise<void>
  remove: () => Promise<void>
}

/** A small disk, held in memory. */
async function mountDisk(): Promise<Disk> {
  const path = await mkdtemp(join(tmpdir(), 'atelier-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', path])
  return {
    path,
    fill: async () => {
      for (const size of [1_048_576, 4_096]) await fillWith(path, size)
    },
    makeRoom: async () => void (await run('find', [path, '-name', 'ballast-*', '-delete'])),
    remove: async () => {
      await run('umount', [path])
      await rm(path, { recursive: true })
    },
  }
}

async function fillWith(path: string, size: number): Promise<void> {
  for (let file = 0; ; file += 1) {
    try {
      await writeFile(join(path, `ballast-${size}-${file}`), Buffer.alloc(size, 1))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
      throw error
    }
  }
}

const confirm = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
const send = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()
const dismiss = async (page: Page): Promise<void> => {
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard changes' }).click()
}

test('on a full disk what adds fails in its words, nothing typed is lost, she signs in and deletes, and room is enough to go on', async ({
  page,
}) => {
  test.slow()
  const disk = await mountDisk()
  const site = await startSite({ dataDir: disk.path })
  try {
    const owner = await ownerOf(site)
    const imageUrl = await oneImage(owner)
    const { id } = await owner<Artwork>('POST', '/api/artworks', { title: 'Kajal', imageUrl })
    await owner('POST', '/api/artworks', { title: 'Unwanted', imageUrl })
    await owner('POST', '/api/categories', { name: 'Landscape' })
    await owner('POST', '/api/mediums', { name: 'Ink' })
    await owner('POST', '/api/contact', {
      name: 'Ritu',
      email: 'ritu@example.com',
      subject: 'general',
      message: 'Is it free?',
    })
    await expect
      .poll(async () => (await owner<Artwork>('GET', `/api/artworks/${id}`)).image?.ready)
      .toBe(true)
    await openDashboard(page, site, 'Gallery')
    await page.getByRole('button', { name: 'Edit Kajal' }).waitFor()
    await disk.fill()

    await page.getByRole('button', { name: 'Hide Kajal' }).click()
    await expectToast(page, 'Error', 'Failed to update artwork visibility.')
    await expect(page.getByRole('button', { name: 'Hide Kajal' })).toBeVisible()
    await page.getByRole('button', { name: 'Edit Kajal' }).click()
    await page.getByLabel('Description').fill('Two breaths of ink')
    await send(page, 'Update Artwork')
    await expectToast(page, 'Error', 'Failed to update artwork.')
    await expect(page.getByRole('dialog').getByRole('alert').filter({ hasText: FULL })).toBeVisible()
    await expect(page.getByLabel('Description')).toHaveValue('Two breaths of ink')
    await dismiss(page)
    await page.getByRole('button', { name: 'Add New Artwork' }).click()
    await page.getByLabel('Choose a picture').setInputFiles(painting('kajal'))
    await expectToast(page, 'Upload Failed', FULL)
    await page.getByRole('radio', { name: 'Image URL' }).click()
    await page.getByRole('textbox', { name: 'Image URL' }).fill(imageUrl)
    await page.getByLabel('Title').fill('Unpainted')
    await send(page, 'Add Artwork')
    await expectToast(page, 'Error', 'Failed to add artwork.')
    await expect(page.getByLabel('Title')).toHaveValue('Unpainted')
    await dismiss(page)

    await chooseTab(page, 'Categories')
    for (const { kind, name } of [
      { kind: 'Category', name: 'Landscape' },
      { kind: 'Medium', name: 'Ink' },
    ] as const) {
      const word = kind.toLowerCase()
      await page.getByRole('switch', { name: `${name}: Active` }).click()
      await expectToast(page, 'Error', `Failed to update ${word}`)
      await page.getByRole('button', { name: `Add ${kind}` }).click()
      await page.getByLabel('Name').fill('No room')
      await send(page, `Add ${kind}`)
      await expectToast(page, 'Error', `Failed to create ${word}`)
      await expect(page.getByRole('dialog').getByRole('alert').filter({ hasText: FULL })).toBeVisible()
      await dismiss(page)
      await page.getByRole('button', { name: `Delete ${name}` }).click()
      await confirm(page)
      await expectToast(page, 'Success', `${kind} deleted successfully.`)
    }
    await ownerOf(site)
    await chooseTab(page, 'Gallery')
    await page.getByRole('button', { name: 'Delete Unwanted' }).click()
    await confirm(page)
    await expectToast(page, 'Success', 'Artwork deleted successfully.')

    await chooseTab(page, 'Messages')
    await page.getByRole('button', { name: 'Mark Read' }).click()
    await expectToast(page, 'Error', 'Failed to update message. Please try again.')
    await page.getByRole('button', { name: 'Delete the message of Ritu' }).click()
    await confirm(page)
    await expectToast(page, 'Success', 'Message deleted successfully.')
    await expect(page.getByText('Is it free?')).toBeHidden()

    await chooseTab(page, 'Content')
    await page.getByLabel('Studio Address').fill('Byculla, near the printing press')
    await page.getByRole('button', { name: 'Save Changes' }).first().click()
    await expectToast(page, 'Error', 'Failed to update content. Please try again.')
    await expect(page.getByRole('tabpanel').getByRole('alert').filter({ hasText: FULL })).toBeVisible()
    await page.getByRole('radio', { name: 'Upload File' }).click()
    await page.getByLabel('Choose a picture').setInputFiles(painting('portrait'))
    await expectToast(page, 'Upload Failed', FULL)

    await disk.makeRoom()
    await page.getByRole('button', { name: 'Save Changes' }).first().click()
    await expectToast(page, 'Success', 'Site content updated successfully.')
    expect(await owner('GET', '/api/site-content')).toMatchObject({
      contactAddress: 'Byculla, near the printing press',
    })
    expect((await owner<Artwork>('GET', `/api/artworks/${id}`)).isAvailable).toBe(true)
  } finally {
    await page.close()
    await site.stop()
    await disk.remove()
  }
})

test('before the disk is full the dashboard says so, wherever she is', async ({ page }) => {
  const disk = await mountDisk()
  const site = await startSite({ dataDir: disk.path })
  try {
    await openDashboard(page, site, 'Blog')
    await expect(page.getByRole('alert').filter({ hasText: /Only \d+ MB are free/ })).toBeVisible()
  } finally {
    await page.close()
    await site.stop()
    await disk.remove()
  }
})
