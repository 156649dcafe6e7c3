import { openAsBlob } from 'node:fs'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { signIn, type Site } from '../support/site.ts'
import { upload } from '../support/upload.ts'
import { describeAttacks, tooLongMs, whileAsking } from './under-attack.ts'

/** Of a gallery in which one page takes long enough to be felt. */
const artworks = 450
const asked = 400
const connections = 7
/** More than may wait for a page. */
const circling = 40
/** On each of them: one on which a few more wait would be let go. */
const ahead = 15
const image = join(import.meta.dirname, '../../samples/yamuna.jpg')

interface Listed {
  readonly id: string
  readonly slug: string
}

await describeAttacks('many pages', (start) => {
  let site: Site
  let pages: readonly string[]

  beforeAll(async () => {
    site = await start()
    const cookie = await signIn(site)
    const { imageUrl } = await upload(site, cookie, await openAsBlob(image))
    const rows = Array.from({ length: artworks }, (_, n) => ({
      fields: { title: `Work number ${n}`, price: 10_000 + n, imageUrl },
    }))
    await fetch(`${site.url}/api/artworks/batch`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ rows }),
    })
    const listed = async () => {
      const list = (await (await fetch(`${site.url}/api/artworks`)).json()) as readonly Listed[]
      pages = list.map(({ id, slug }) => `/artwork/${slug}-${id}`)
      expect(list).toHaveLength(artworks)
    }
    await vi.waitFor(listed, { timeout: 60_000 })
  })
  afterAll(() => site?.stop())

  const send = async (paths: readonly string[]): Promise<Socket> => {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
    return socket
  }
  const ask = async (): Promise<number> => (await fetch(`${site.url}/healthz`)).status

  const statusOf = (path: string, agent: Agent): Promise<number> =>
    new Promise((resolve, reject) => {
      get(site.url + path, { agent }, (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode ?? 0))
      }).once('error', reject)
    })

  it('asked for round and round by one address leave others theirs', async () => {
    const many = new Agent({ keepAlive: true, maxSockets: circling })
    const visitor = new Agent({ localAddress: '127.0.0.2' })
    const got: number[] = []
    let isOver = false
    const circle = async (_: unknown, n: number): Promise<void> => {
      for (let page = n; !isOver; page += circling)
        got.push(await statusOf(pages[page % artworks] ?? '', many))
    }
    const circles = Array.from({ length: circling }, circle)
    await vi.waitFor(() => expect(got).toContain(503), { timeout: 60_000 })
    const theirs: number[] = []
    for (const path of pages.slice(-8)) theirs.push(await statusOf(path, visitor))
    isOver = true
    await Promise.all(circles)
    many.destroy()
    expect(theirs).toEqual(theirs.map(() => 200))
  })

  it('asked for ahead on connections that are closed keep nobody waiting', async () => {
    const { waiting } = await whileAsking(site, async () => {
      const firsts = Array.from({ length: connections }, (_, n) => n * ahead)
      const sockets = await Promise.all(firsts.map((from) => send(pages.slice(from, from + ahead))))
      await Promise.all(sockets.map((socket) => once(socket, 'data')))
      for (const socket of sockets) socket.destroy()
      for (let n = 0; n < 50; n += 1) expect(await ask()).toBe(200)
    })
    expect(waiting.longestMs).toBeLessThan(tooLongMs)
  })

  it('asked for on a connection each are made or refused, and keep nobody waiting', async () => {
    const agent = new Agent({ maxSockets: asked })
    const { result, waiting } = await whileAsking(site, () =>
      Promise.all(pages.slice(0, asked).map((path) => statusOf(path, agent))),
    )
    agent.destroy()
    expect(waiting.longestMs).toBeLessThan(tooLongMs)
    expect(new Set(result).difference(new Set([200, 503]))).toEqual(new Set())
    expect(result).toContain(200)
  })
})
