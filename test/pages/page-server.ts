import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import sharp from 'sharp'
import type { PageData } from '#web/contract/pages.ts'
import { createBuiltFiles } from '#web/server/door/built-files.ts'
import { createPages } from '#web/server/pages/pages.ts'
import { freshClientBuild } from './client-build.ts'

export type PageServer = {
  readonly url: string
  /** what is shown from the next request on */
  show(data: PageData): void
  /** API paths that answer 500 until taken out again */
  readonly failing: Set<string>
  /** paths asked for, in order */
  readonly asked: string[]
  close(): Promise<void>
}

/**
 * The real pages with the real client over made-up data: no log, no engines. The lists of the API answer the
 * same data as an anonymous visitor gets it.
 */
export async function startPageServer(first: PageData): Promise<PageServer> {
  const build = await freshClientBuild()
  const image = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#2b4483' } })
    .jpeg()
    .toBuffer()
  let data = first
  let version = 1
  const failing = new Set<string>()
  const asked: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port')
  const url = `http://127.0.0.1:${address.port}`
  const files = createBuiltFiles(build.clientFolder, url)
  const pages = createPages({
    readPageData: () => data,
    versions: () => String(version),
    loadRenderer: build.loadRenderer,
    assets: build.assets,
    publicUrl: url,
    settings: { blogUrl: '' },
    onError: (error) => console.error(error),
  })

  const apiAnswer = (path: string): unknown => {
    const lists: Record<string, unknown> = {
      '/api/artworks': data.artworks,
      '/api/categories': data.categories,
      '/api/blog-posts': data.blogPosts,
      '/api/site-content': data.siteContent,
    }
    return lists[path] ?? data.artworks.find((artwork) => path === `/api/artworks/${artwork.id}`)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? '/', url)
    asked.push(pathname)
    if (pathname.startsWith('/images/')) {
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(image)
    } else if (pathname.startsWith('/qr/')) {
      response.writeHead(200, { 'content-type': 'image/svg+xml' })
      response.end('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    } else if (pathname === '/api/changes') {
      // No listeners here: the browser does not ask again.
      response.writeHead(204).end()
    } else if (pathname.startsWith('/api/')) {
      const found = failing.has(pathname) ? undefined : apiAnswer(pathname)
      response.writeHead(found === undefined ? 500 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(found ?? { message: 'Away' }))
    } else if (/\.\w+$/.test(pathname) && !pathname.endsWith('.xml')) {
      const file = await files.answer(pathname, {})
      response.writeHead(file?.status ?? 404, file?.headers).end(file?.body)
    } else {
      const { headers } = request
      const page = await pages.page(pathname, search.slice(1), {
        session: false,
        acceptEncoding: headers['accept-encoding']?.toString(),
        ifNoneMatch: headers['if-none-match'],
      })
      response.writeHead(page.status, page.headers).end(page.body)
    }
  }

  return {
    url,
    show: (next) => {
      data = next
      version += 1
    },
    failing,
    asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await pages.settled()
    },
  }
}
