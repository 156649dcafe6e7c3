import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { unlessMissing } from '#application/kernel/reason.ts'
import { commonHeaders } from './exchange.ts'
import { type Encoding, encodingFor } from './encoding.ts'
import { forEver, hashOf, matchesTag, sharedAnywhere } from './headers.ts'
import { type PageAnswer, type PageAsked, type Ready, readyOf } from './cached-page.ts'
import { shareWork } from '#application/kernel/sharing.ts'

const types = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['woff2', 'font/woff2'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['ico', 'image/x-icon'],
])
/**
 * No part of it begins with a dot: what the build keeps for itself, such as its manifest, is nobody's business. And none
 * has a name that no disk takes.
 */
const named = /^\/(?!.{200})((?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(\w+))$/
/** Files whose names carry a hash of what is in them never change. */
const isHashed = (file: string): boolean => file.startsWith('assets/')
/**
 * Bytes of files that are kept, several times those of a build in all its forms. A disk that folds case, as most of a Mac, has each
 * of them under hundreds of names.
 */
const roomForFiles = 32 * 1024 * 1024
const anHour = 'public, max-age=3600'
const endings = { br: '.br', gzip: '.gz', identity: '' } as const satisfies Record<Encoding, string>

export interface BuiltFiles {
  /**
   * A file in the form that the reader takes, or 304.
   * @param path of the request
   * @returns null, at once or after a look into the folder, where there is no such file
   */
  readonly answer: (
    path: string,
    asked: Pick<PageAsked, 'acceptEncoding' | 'ifNoneMatch'>,
  ) => PageAnswer | null | Promise<PageAnswer | null>
}

/**
 * The built client's files. What is in those whose names carry a hash never changes, so each is read once and kept, also
 * when a build under the running server takes it away: a page that is open may still ask for it. The others are read
 * each time.
 * @param folder of the built client
 * @param shared where the hashed files of other builds lie that are served beside this one (`share-files.ts`); null: nowhere
 */
export const createBuiltFiles = (
  folder: string,
  publicUrl: string,
  shared: string | null = null,
): BuiltFiles => {
  const common = commonHeaders(publicUrl)
  const kept = new LRUCache<string, Ready>({
    maxSize: roomForFiles,
    // The answer that nothing has changed has no body.
    sizeCalculation: ({ full }) => full.body.length + 1,
  })
  const once = shareWork<Ready | null>()

  const bytesIn = async (
    place: string,
    file: string,
    wanted: Encoding,
  ): Promise<{ readonly body: Buffer; readonly encoding: Encoding } | null> => {
    const compressed = await readFile(join(place, file + endings[wanted])).catch(unlessMissing)
    if (compressed !== null) return { body: compressed, encoding: wanted }
    const plain = await readFile(join(place, file)).catch(unlessMissing)
    return plain && { body: plain, encoding: 'identity' }
  }

  const read = async (file: string, type: string, wanted: Encoding): Promise<Ready | null> => {
    const own = await bytesIn(folder, file, wanted)
    const found = own ?? (shared !== null && isHashed(file) ? await bytesIn(shared, file, wanted) : null)
    if (found === null) return null
    const { body, encoding } = found
    const etag = `"${hashOf(body)}"`
    const headers = {
      ...common,
      ...(isHashed(file) ? {} : sharedAnywhere),
      'cache-control': isHashed(file) ? forEver : anHour,
      etag,
      vary: 'Accept-Encoding',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    }
    return readyOf(etag, headers, { status: 200, contentType: type, body })
  }

  return {
    answer: (path, { acceptEncoding, ifNoneMatch }) => {
      const [, file, ending = ''] = named.exec(path) ?? []
      const type = types.get(ending)
      if (file === undefined || type === undefined) return null
      const wanted = encodingFor(acceptEncoding)
      const name = `${wanted} ${file}`
      const answerOf = (ready: Ready): PageAnswer =>
        matchesTag(ifNoneMatch, ready.etag) ? ready.unchanged : ready.full
      const ready = kept.get(name)
      if (ready) return answerOf(ready)
      return once(name, () => read(file, type, wanted)).then((found) => {
        // Only what is there is remembered: a build may bring the rest.
        if (found && isHashed(file)) kept.set(name, found)
        return found && answerOf(found)
      })
    },
  }
}
