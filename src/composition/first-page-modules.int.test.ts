import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

/** What a process holds that has loaded what answers the first page, and nothing for later. */
const loadedWithThePage = async (): Promise<{ readonly own: string[]; readonly packages: string[] }> => {
  const script = `
    await import('#composition/start.ts')
    await import('#composition/site.ts')
    await import('#infrastructure/embedded/open.ts')
    const { createRequire } = await import('node:module')
    const packages = Object.keys(createRequire(import.meta.url).cache)
    console.log(JSON.stringify({ own: process.moduleLoadList, packages }))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout)
}

it('waits for no module that the first page does not need', async () => {
  const { own, packages } = await loadedWithThePage()
  // Node's own fetch, which comes with the names of node:http.
  expect(own.filter((name) => /undici|http2/.test(name))).toEqual([])
  const used = new Set(packages.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]))
  expect(used).toContain('koa')
  for (const name of ['koa-body', 'formidable', 'nodemailer', 'react', 'sharp', 'undici'])
    expect(used).not.toContain(name)
})
