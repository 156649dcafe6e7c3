import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest'
import { changeNotice, type ChangeNotice } from '#web/contract/changes.ts'
import { type Client, openWebSite, type WebSite } from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
beforeAll(async () => {
  site = await openWebSite()
  owner = await site.owner()
})
afterAll(async () => site.close())

const open: AbortController[] = []
afterEach(() => {
  for (const stream of open.splice(0)) stream.abort()
})

/** Listens to the stream; `heard` grows as notices arrive. */
const listen = async (headers: Record<string, string> = {}, url = site.url, query = '') => {
  const stop = new AbortController()
  open.push(stop)
  const response = await fetch(`${url}/api/changes${query}`, { headers, signal: stop.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const heard: (ChangeNotice & { id: string })[] = []
  const state = { ended: false }
  const read = async (): Promise<void> => {
    let text = ''
    try {
      for await (const bytes of response.body ?? []) {
        text += Buffer.from(bytes).toString()
        const events = text.split('\n\n')
        text = events.pop() ?? ''
        for (const event of events.filter((each) => each.includes('event: change'))) {
          const data = changeNotice.parse(JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? ''))
          heard.push({ ...data, id: /^id: (.*)$/m.exec(event)?.[1] ?? '' })
        }
      }
    } catch {
      // the test has stopped listening
    }
    state.ended = true
  }
  void read()
  return { heard, state }
}
const modelsOf = (heard: readonly ChangeNotice[]) => [...new Set(heard.flatMap(({ models }) => models))]

const enquire = () =>
  site.visitor().call('sendEnquiry', {
    body: { name: 'A', email: 'a@b.in', subject: 'general', message: 'Hello' },
  })

describe('the stream of changes', () => {
  it('tells everybody what public list has changed, and where the log stands', async () => {
    const { heard } = await listen()
    await owner.call('addCategory', { body: { name: 'Heard' } })
    await expect.poll(() => modelsOf(heard)).toContain('categories')
    expect(heard[0]?.id).toBe(heard[0]?.position)
    expect(heard[0]?.id).not.toBe('')
  })

  it('tells visitors nothing of messages', async () => {
    const visitor = await listen()
    const own = await listen({ cookie: owner.cookies() })
    await enquire()
    await expect.poll(() => modelsOf(own.heard)).toContain('contact-messages')
    await owner.call('addCategory', { body: { name: 'Marker' } })
    await expect.poll(() => modelsOf(visitor.heard)).toContain('categories')
    expect(modelsOf(visitor.heard)).not.toContain('contact-messages')
    expect(modelsOf(visitor.heard)).not.toContain('activity')
  })

  it('tells who comes back what was missed', async () => {
    const first = await listen()
    await owner.call('addCategory', { body: { name: 'Seen' } })
    await expect.poll(() => first.heard.length).toBeGreaterThan(0)
    const last = first.heard.at(-1)?.id ?? ''
    await owner.call('addMedium', { body: { name: 'Missed' } })
    const again = await listen({ 'last-event-id': last })
    await expect.poll(() => modelsOf(again.heard)).toEqual(['mediums'])
  })

  it('tells a page what was changed between its rendering and its listening', async () => {
    const html = await (await fetch(`${site.url}/`)).text()
    const version = /"version":"(artworks@[^"]*)"/.exec(html)?.[1] ?? ''
    const query = `?page=${encodeURIComponent(version)}`
    const current = await listen({}, site.url, query)
    await expect.poll(() => current.heard.map(({ models }) => models)).toEqual([[]])
    await owner.call('addCategory', { body: { name: 'Between' } })
    const late = await listen({}, site.url, query)
    await expect.poll(() => late.heard.map(({ models }) => models)).toEqual([['categories']])
  })

  it('tells who comes back from before the start that everything may have changed', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-changes-'))
    const before = await openWebSite({ dataDir })
    await (await before.owner()).call('addCategory', { body: { name: 'Earlier' } })
    await before.close()
    const after = await openWebSite({ dataDir })
    try {
      const { heard } = await listen({ 'last-event-id': '0' }, after.url)
      await expect
        .poll(() => modelsOf(heard).toSorted())
        .toEqual(['artworks', 'blog-posts', 'categories', 'mediums', 'site-content'])
    } finally {
      await after.close()
      await rm(dataDir, { recursive: true })
    }
  })

  it('tells the owner alone that the first steps were put away', async () => {
    const visitor = await listen()
    const own = await listen({ cookie: owner.cookies() })
    await owner.call('changeFirstSteps', { body: { away: true } })
    await expect.poll(() => modelsOf(own.heard)).toEqual(['status'])
    await owner.call('addCategory', { body: { name: 'Said after it' } })
    await expect.poll(() => modelsOf(visitor.heard)).toEqual(['categories'])
  })

  it('ends with the session', async () => {
    const browser = await site.owner()
    const { state } = await listen({ cookie: browser.cookies() })
    await browser.call('logout')
    await expect.poll(() => state.ended).toBe(true)
  })

  it('ends when the site closes', async () => {
    const other = await openWebSite()
    const response = await fetch(`${other.url}/api/changes`)
    const whole = response.text()
    await other.close()
    expect(await whole).toContain(': here')
  })
})
