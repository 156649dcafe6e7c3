import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Site, signIn } from '../support/site.ts'
import { describeAttacks } from './under-attack.ts'

await describeAttacks('closed tabs', (start) => {
  let site: Site
  let cookie: string
  beforeAll(async () => {
    site = await start()
    cookie = await signIn(site)
  })
  afterAll(() => site?.stop())

  /** Sends bytes and breaks the connection, at once or when the answer has begun. */
  const leave = (bytes: string, when: 'at once' | 'answered'): Promise<void> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(site.url)
      const socket = connect(Number(port), hostname)
      socket.once('error', reject)
      socket.once('close', () => resolve())
      socket.write(bytes, () => {
        if (when === 'at once') socket.resetAndDestroy()
      })
      if (when === 'answered') socket.once('data', () => socket.resetAndDestroy())
    })

  const request = (method: string, path: string, headers: readonly string[] = [], body = ''): string =>
    [`${method} ${path} HTTP/1.1`, `host: ${new URL(site.url).host}`, ...headers, '', body].join('\r\n')

  it('leave no line in the log, wherever they were', async () => {
    const half = ['content-length: 100000', `cookie: ${cookie}`]
    const json = 'content-type: application/json'
    const form = 'content-type: application/x-www-form-urlencoded'
    const upload = 'content-type: multipart/form-data; boundary=x'
    const part = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\nabc'
    const pages = [
      '/',
      '/admin',
      '/nothing',
      '/api/artworks',
      '/api/changes',
      '/favicon.svg',
      '/icon-512.png',
    ]
    for (const when of ['at once', 'answered'] as const) {
      for (const path of pages) await leave(request('GET', path), when)
      // Many answers that nobody takes in: the connection breaks in the middle of one.
      await leave(request('GET', '/icon-512.png').repeat(50), when)
    }
    await leave(request('GET', '/api/artworks', [`cookie: ${cookie}`]).repeat(50), 'at once')
    await leave(request('POST', '/api/contact', [json, 'content-length: 100'], '{"name"'), 'at once')
    await leave(request('POST', '/contact', [form, 'content-length: 100'], 'name='), 'at once')
    await leave(request('PUT', '/api/site-content', [json, ...half], '{"artistBio"'), 'at once')
    await leave(request('POST', '/api/upload/artwork-image', [upload, ...half], part), 'at once')
    // What the server has to say of all that it says before it ends.
    await site.stop()
    const said = site
      .output()
      .split('\n')
      // A machine too busy for a sign of life every three seconds gives its turn away, whoever closes a tab.
      .filter(
        (line) => !/"msg":"(?:Atelier is open|This process projects no more|The lease could not)/.test(line),
      )
    expect(said.join('\n')).toBe('')
  })
})
