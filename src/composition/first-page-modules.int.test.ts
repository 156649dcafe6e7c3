import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

const forThePage = ['#composition/start.ts', '#composition/site.ts', '#infrastructure/embedded/open.ts']
/** Node's own fetch, which comes with the names of node:http. */
const ownFetch = /undici/

/** What a process holds that has loaded these modules: of Node's, and of packages. */
const loadedWith = async (
  modules: readonly string[],
): Promise<{ readonly own: string[]; readonly packages: string[] }> => {
  const script = `
    for (const name of ${JSON.stringify(modules)}) await import(name)
    const { createRequire } = await import('node:module')
    const packages = Object.keys(createRequire(import.meta.url).cache)
    console.log(JSON.stringify({ own: process.moduleLoadList, packages }))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout)
}

it('waits for no module that the first page does not need', async () => {
  const { own, packages } = await loadedWith(forThePage)
  expect(own.filter((name) => ownFetch.test(name) || /http2/.test(name))).toEqual([])
  const used = new Set(packages.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]))
  expect(used).toContain('koa')
  for (const name of ['koa-body', 'formidable', 'nodemailer', 'react', 'sharp', 'undici'])
    expect(used).not.toContain(name)
})

it('holds none of what Node has for fetching when it is at rest', async () => {
  const { own } = await loadedWith([...forThePage, '#web/server/app.ts', '#infrastructure/metrics/render.ts'])
  expect(own.filter((name) => ownFetch.test(name))).toEqual([])
})
