import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sourceHash } from './stamp.ts'

let root: string
const write = (file: string, content: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), content)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'atelier-stamp-'))
  for (const file of [
    'vite.config.ts',
    'build/client.ts',
    'build/former-files.ts',
    'build/stamp.ts',
    'package-lock.json',
  ])
    write(file, '')
  write('src/web/client/main.ts', '')
})
afterEach(() => rmSync(root, { recursive: true }))

// A page that the former version kept would go out with its rules, its sanitiser and its headers, and name files that are gone.
it.each([
  'src/web/client/main.ts',
  'src/domain/artworks/price.ts',
  'src/infrastructure/html/sanitiser.ts',
  'src/web/server/door/headers.ts',
  'package-lock.json',
])('the build is another after a change of %s', (file) => {
  write(file, 'before')
  const before = sourceHash(root)
  write(file, 'after')
  expect(sourceHash(root)).not.toBe(before)
})

it('the build is the same after a change of a test', () => {
  const before = sourceHash(root)
  write('src/web/client/main.unit.test.ts', 'expect')
  expect(sourceHash(root)).toBe(before)
})
