import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Koa from 'koa'
import { afterEach, describe, expect, it } from 'vitest'
import { staticFiles } from './static-files.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const serve = async (): Promise<{ readonly folder: string; readonly url: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-static-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets', 'entry-a1.js'), 'old()')
  writeFileSync(join(folder, 'icon.svg'), '<svg/>')
  writeFileSync(join(folder, 'favicon.ico'), 'ico')
  const answer = new Koa().use(staticFiles(folder)).callback()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  // Listening on a port, so its address is not a path.
  return { folder, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('the built client’s files', () => {
  it('are kept for ever by browsers when their names carry a hash, and for an hour when not', async () => {
    const { url } = await serve()
    const [hashed, plain] = await Promise.all([fetch(`${url}/assets/entry-a1.js`), fetch(`${url}/icon.svg`)])
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('cache-control')).toBe('public, max-age=3600')
    // Icons are shown by other programs' pages too; the program belongs to this site alone.
    const policies = [hashed, plain].map(({ headers }) => headers.get('cross-origin-resource-policy'))
    expect(policies).toEqual([null, 'cross-origin'])
  })

  it('say what they are, icons too', async () => {
    const { url } = await serve()
    const types = await Promise.all(
      ['assets/entry-a1.js', 'icon.svg', 'favicon.ico'].map(async (path) =>
        (await fetch(`${url}/${path}`)).headers.get('content-type'),
      ),
    )
    expect(types).toEqual([expect.stringMatching('text/javascript'), 'image/svg+xml', 'image/x-icon'])
  })

  it('taken away by a build under the running server are missing, and the next ones are found', async () => {
    const { folder, url } = await serve()
    rmSync(join(folder, 'assets', 'entry-a1.js'))
    writeFileSync(join(folder, 'assets', 'entry-b2.js'), 'fresh()')
    expect((await fetch(`${url}/assets/entry-a1.js`)).status).toBe(404)
    expect(await (await fetch(`${url}/assets/entry-b2.js`)).text()).toBe('fresh()')
  })

  it('that begin with a dot are nobody’s business', async () => {
    const { folder, url } = await serve()
    mkdirSync(join(folder, '.vite'))
    writeFileSync(join(folder, '.vite', 'manifest.json'), '{}')
    const answers = await Promise.all(
      ['/.vite/manifest.json', '/%2evite/manifest.json'].map((path) => fetch(url + path)),
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
  })

  it('do not lead out of their folder', async () => {
    const { url } = await serve()
    expect((await fetch(`${url}/assets/..%2f..%2f..%2fetc%2fpasswd`)).status).toBe(404)
  })
})
