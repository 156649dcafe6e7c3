import type { FrontDeps } from './deps.ts'
import type { BuiltFiles } from './door/built-files.ts'
import { isApi, isImage } from './door/exchange.ts'
import { demandsSession, sessionCookieOf } from './door/headers.ts'
import type { DoorDeps } from './door/door.ts'
import { readerOf } from './door/lane.ts'
import { isPublicList, type PublicLists } from './public-lists.ts'

type ReadyDeps = Pick<FrontDeps, 'pages' | 'settings'> & {
  readonly lists: PublicLists
  readonly builtFiles: BuiltFiles
}

/** What stands ready as bytes: pages and the texts beside them, public lists without a filter, the client's files. */
export const readyAnswers = ({ lists, builtFiles, pages, settings }: ReadyDeps): DoorDeps['ready'] => {
  const cookie = new RegExp(`(?:^|;\\s*)${sessionCookieOf(settings.publicUrl)}=`)
  return (request, exchange) => {
    const { headers } = request
    const { path, query } = exchange
    const session = headers.cookie !== undefined && cookie.test(headers.cookie)
    const asked = { acceptEncoding: headers['accept-encoding'], ifNoneMatch: headers['if-none-match'] }
    const target = query === '' ? path : `${path}?${query}`
    if (isPublicList(target) && !session && !demandsSession(headers)) {
      exchange.route = path
      return lists.answer(target, null, asked)
    }
    // Images are the app's: they are too many to stand ready.
    if (isApi(path) || isImage(path)) return null
    const reader = readerOf(request, settings.trustProxy)
    const page = () => pages.page(path, query, { ...asked, session, reader })
    const file = builtFiles.answer(path, asked)
    return file instanceof Promise ? file.then((found) => found ?? page()) : (file ?? page())
  }
}
