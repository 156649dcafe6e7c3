import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBuiltFiles } from './built-files.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-built-'))
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of [
    ['entry-a1.js', 'run()'],
    ['entry-a1.js.br', 'small'],
    ['entry-a1.js.gz', 'smaller'],
    ['serif-b2.woff2', 'font'],
    ['notes.txt', 'notes'],
  ] as const)
    writeFileSync(join(folder, 'assets', name), text)
  writeFileSync(join(folder, 'favicon.ico'), 'ico')
  mkdirSync(join(folder, '.vite'))
  writeFileSync(join(folder, '.vite', 'manifest.js'), '{}')
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () => createBuiltFiles(folder, 'https://art.example')

describe('the program’s files', () => {
  it.each([
    ['br, gzip', 'br', 'small'],
    ['gzip', 'gzip', 'smaller'],
    [undefined, undefined, 'run()'],
  ])(
    'go out in the form that is taken (%s), and are kept for ever',
    async (acceptEncoding, encoding, text) => {
      const answer = await open().answer('/assets/entry-a1.js', { acceptEncoding })
      expect(answer).toMatchObject({
        status: 200,
        headers: {
          'cache-control': 'public, max-age=31536000, immutable',
          'content-type': 'text/javascript; charset=utf-8',
          'content-length': String(text.length),
          vary: 'Accept-Encoding',
          'x-content-type-options': 'nosniff',
        },
      })
      expect(answer?.headers['content-encoding']).toBe(encoding)
      expect(answer?.body.toString()).toBe(text)
    },
  )

  it('go out as they are where there is no smaller form', async () => {
    const answer = await open().answer('/assets/serif-b2.woff2', { acceptEncoding: 'br' })
    expect(answer?.headers).toMatchObject({ 'content-type': 'font/woff2', 'content-length': '4' })
    expect(answer?.headers).not.toHaveProperty('content-encoding')
  })

  it('without a hash in their names are asked for again after an hour, and shown by other sites too', async () => {
    const files = open()
    const answer = await files.answer('/favicon.ico', {})
    expect(answer?.headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'content-type': 'image/x-icon',
      'cross-origin-resource-policy': 'cross-origin',
    })
    writeFileSync(join(folder, 'favicon.ico'), 'newer')
    expect((await files.answer('/favicon.ico', {}))?.body.toString()).toBe('newer')
  })

  it('are not sent again to who has them', async () => {
    const files = open()
    const first = await files.answer('/assets/entry-a1.js', {})
    const again = await files.answer('/assets/entry-a1.js', { ifNoneMatch: first?.headers['etag'] })
    expect(again).toMatchObject({ status: 304, headers: { etag: first?.headers['etag'] } })
    expect(again?.body).toHaveLength(0)
  })

  it('are there for open pages when a build has taken them away', async () => {
    const files = open()
    await files.answer('/assets/entry-a1.js', {})
    rmSync(join(folder, 'assets', 'entry-a1.js'))
    expect((await files.answer('/assets/entry-a1.js', {}))?.body.toString()).toBe('run()')
  })

  it('are found when a build has made them since somebody asked', async () => {
    const files = open()
    expect(await files.answer('/assets/next-c3.js', {})).toBeNull()
    writeFileSync(join(folder, 'assets', 'next-c3.js'), 'next()')
    expect((await files.answer('/assets/next-c3.js', {}))?.status).toBe(200)
  })

  it.each([
    '/assets/notes.txt',
    '/assets/../favicon.ico',
    '/assets/..%2ffavicon.ico',
    '/.vite/manifest.js',
    '/%2evite/manifest.js',
    '/assets/.hidden.js',
    '/assets/',
    `/assets/${'a'.repeat(256)}.js`,
    `/${'a/'.repeat(100)}b.js`,
  ])('are nothing else: %s', (path) => {
    expect(open().answer(path, {})).toBeNull()
  })

  it('that cannot be read are an error, not a missing file', async () => {
    mkdirSync(join(folder, 'assets', 'folder-d4.js'))
    await expect(open().answer('/assets/folder-d4.js', {})).rejects.toThrow('EISDIR')
  })
})

it('keeps no more files than there is room for: a disk that folds case has each under hundreds of names', async () => {
  const files = open()
  const asked = { acceptEncoding: 'br' }
  expect(await files.answer('/assets/entry-a1.js', asked)).not.toBeNull()
  const megabyte = Buffer.alloc(1024 * 1024)
  for (let n = 0; n < 33; n += 1) {
    writeFileSync(join(folder, 'assets', `other-${n}.js`), megabyte)
    expect(await files.answer(`/assets/other-${n}.js`, asked)).not.toBeNull()
  }
  rmSync(join(folder, 'assets', 'entry-a1.js.br'))
  rmSync(join(folder, 'assets', 'entry-a1.js'))
  expect(await files.answer('/assets/entry-a1.js', asked)).toBeNull()
})
