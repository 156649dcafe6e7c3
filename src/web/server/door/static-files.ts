import type { Middleware } from 'koa'
import sirv from 'sirv'
import { FOR_EVER, shownAnywhere } from './headers.ts'

/** Files whose names carry a hash of what is in them never change. */
const hashed = '/assets/'
const forAll = new Map(Object.entries(shownAnywhere))
const anHour = 'public, max-age=3600'

/** What the build keeps for itself, such as its manifest, is nobody's business; nor is what cannot be decoded. */
const isHidden = (path: string): boolean => {
  try {
    return decodeURIComponent(path).includes('/.')
  } catch {
    return true
  }
}

/**
 * The built client's files, in their compressed forms where the browser takes them; passes on what is none. Those that
 * every visit asks for come from ready bytes before (built-files.ts).
 * @param folder of the built client
 */
export const staticFiles = (folder: string): Middleware => {
  const serve = sirv(folder, {
    // Looks for a file when it is asked for: a build under a running server takes old ones away, and reading
    // one that is no longer there would end the process.
    dev: true,
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders: (response, path) => {
      response.setHeader('cache-control', path.startsWith(hashed) ? FOR_EVER : anHour)
      if (!path.startsWith(hashed)) response.setHeaders(forAll)
      // The one type that the library's list lacks; without it nobody may guess (nosniff).
      if (path.endsWith('.ico')) response.setHeader('content-type', 'image/x-icon')
    },
  })
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (isHidden(ctx.path)) return next()
    const served = await new Promise<boolean>((resolve, reject) => {
      ctx.res.once('close', () => resolve(true))
      // It reads without listening for failures: one that nobody hears, such as no free file handle, ends the process.
      ctx.res.once('pipe', (file) => {
        file.once('error', (error) => {
          reject(error)
          ctx.res.destroy()
        })
      })
      serve(ctx.req, ctx.res, () => resolve(false))
    })
    if (!served) return next()
    ctx.respond = false
  }
}
