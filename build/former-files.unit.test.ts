import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { carryOver, type Stamp } from './former-files.ts'

let folder: string
let former: Stamp | null
let builds: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-former-files-'))
  former = null
  builds = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A build of these files. @returns what lies there then */
const build = async (hash: string, ...files: string[]): Promise<string[]> => {
  const [from, to] = [join(folder, `${builds}`), join(folder, `${builds + 1}`)]
  builds += 1
  mkdirSync(to)
  for (const file of files) writeFileSync(join(to, file), file)
  former = { build: hash, files: await carryOver(from, to, former, hash) }
  return readdirSync(to).toSorted()
}

it('a build keeps the files of the one before, which a running server still names', async () => {
  expect(await build('1', 'entry-a.js', 'font.woff2')).toEqual(['entry-a.js', 'font.woff2'])
  expect(await build('2', 'entry-b.js', 'font.woff2')).toEqual(['entry-a.js', 'entry-b.js', 'font.woff2'])
})

it('no older ones stay, unless the same is built once more', async () => {
  await build('1', 'entry-a.js')
  await build('2', 'entry-b.js')
  expect(await build('2', 'entry-b.js')).toEqual(['entry-a.js', 'entry-b.js'])
  expect(await build('3', 'entry-c.js')).toEqual(['entry-b.js', 'entry-c.js'])
})

it('beside the stamp of an earlier version it keeps what lies there', async () => {
  await build('1', 'entry-a.js')
  former = { build: '1' }
  expect(await build('2', 'entry-b.js')).toEqual(['entry-a.js', 'entry-b.js'])
})
