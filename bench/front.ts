import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { request } from 'undici'

const br = promisify(brotliCompress)

export type Front = { readonly url: string; stop(): Promise<void> }

/** The page's HTML with nothing in it that runs. */
export const withoutScript = (html: string): string =>
  html.replaceAll(/<script type="module"[^>]*>.*?<\/script>/gs, '')

/** Answers for the site at `url` with its homepage changed, made once; everything else is passed on. */
export const frontOf = async (url: string, change: (html: string) => string): Promise<Front> => {
  const page = await request(url, { headers: { 'accept-encoding': 'identity' } })
  const home = await br(change(await page.body.text()))
  const homeHead = { ...shortened(page.headers), 'content-encoding': 'br' }
  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const passed = await request(`${url}${asked.url}`, { headers: shortened(asked.headers) })
    answer.writeHead(passed.statusCode, passed.headers)
    await pipeline(passed.body, answer)
  }
  const server = createServer((asked, answer) => {
    if (asked.url === '/') answer.writeHead(200, homeHead).end(home)
    // A browser that is closed wants no more of it.
    else pass(asked, answer).catch(() => answer.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Listening on TCP, as asked above.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Headers without those that tell of one connection or of the bytes as they were. */
const shortened = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const {
    connection: _,
    host: _host,
    'content-length': _length,
    'transfer-encoding': _encoding,
    ...rest
  } = headers
  return rest
}
