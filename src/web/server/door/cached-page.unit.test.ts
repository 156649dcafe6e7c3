import { brotliDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { answerWith, cacheRendered } from './cached-page.ts'

const html = `<html lang="en-IN">${'<p>The river stood fifty-nine hands high.</p>'.repeat(200)}</html>`
const rendered = { status: 200, contentType: 'text/html', policy: '', body: Buffer.from(html) }

const br = { acceptEncoding: 'br' }

it('is compressed quickly first, then smaller under a new tag', async () => {
  const page = cacheRendered(rendered, '1', {})
  expect(page.answer(br)).toBeNull()
  await page.prepare(br)
  const quick = page.answer(br)!
  await page.compress()
  const small = page.answer(br)!
  expect(small.body.length).toBeLessThan(quick.body.length)
  expect(small.headers['etag']).not.toBe(quick.headers['etag'])
  expect([quick, small].map(({ body }) => brotliDecompressSync(body).toString())).toEqual([html, html])
})

it('keeps its small form when a quick one comes later', async () => {
  const page = cacheRendered(rendered, '1', {})
  const preparing = page.prepare(br)
  await page.compress()
  await preparing
  expect(page.answer(br)?.headers['etag']).toMatch(/-br11"$/)
})

it('makes a form once for all who ask for it at the same time', async () => {
  const page = cacheRendered(rendered, '1', {})
  const [first, second] = [page.prepare(br), page.prepare(br)]
  expect(second).toBe(first)
  expect(page.prepare({ ...br, session: true })).not.toBe(first)
  await first
  expect(page.answer(br)).not.toBeNull()
})

it('keeps a form for a session uncompressed too, so that no request has a copy of its own', async () => {
  const page = cacheRendered(rendered, '1', {})
  await page.prepare({})
  const before = page.size()
  const answer = await answerWith(page, { session: true })
  expect(answer.body.toString()).toBe(html.replace('<html lang="en-IN"', '<html lang="en-IN" data-session'))
  expect(answer.headers['content-length']).toBe(String(answer.body.length))
  expect(page.answer({ session: true })?.body).toBe(answer.body)
  expect(page.size()).toBe(before + answer.body.length)
})
