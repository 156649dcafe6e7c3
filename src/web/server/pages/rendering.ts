import { doneOnce } from '#application/kernel/sharing.ts'
import { within } from '#application/kernel/within.ts'
import { isAsNew } from '#projections/runtime/view-versions.ts'
import type { ContactOutcome, PageAssets, PageData, PageRenderer, PageRequest } from '#web/contract/pages.ts'
import type { Rendered } from '../door/cached-page.ts'
import { PageAway } from '../door/errors.ts'
import { policyOf } from '../door/headers.ts'
import { type Places, placesOf } from './address.ts'
import { siteTexts } from './texts.ts'

/** Data and places of one version, read once for all pages that are rendered from it. */
export interface Snapshot {
  version: string
  data: PageData
  places: Places
}

/** One is read behind the other for so long, in ms: an engine that does not answer one may answer the next. */
const inTurnMs = 1_000

/** A reading of what pages show. */
interface Reading {
  /** of those who wait for it the newest, until it is begun */
  version: string
  isDone: boolean
  readonly snapshot: Promise<Snapshot>
}

/**
 * Gives the snapshot of a version, or of a newer one; the last one is kept, unless it could not be read. While changes come faster
 * than they are read, readers share those that begin after they asked.
 */
export const openSnapshots = (readPageData: (version: string) => PageData | Promise<PageData>) => {
  let last: Reading | null = null
  let next: Reading | null = null
  let newest: Snapshot | undefined

  const begin = async (reading: Reading): Promise<Snapshot> => {
    const { version } = reading
    const data = await readPageData(version)
    const snapshot = { version, data, places: placesOf(data) }
    reading.isDone = true
    if (last === reading) newest = snapshot
    return snapshot
  }

  /** To be begun once the last one is done. */
  const wait = (version: string): Reading => {
    const before = last && within(last.snapshot, inTurnMs, () => undefined).catch(() => undefined)
    const turn = Promise.withResolvers<Snapshot>()
    const reading: Reading = { version, isDone: false, snapshot: turn.promise }
    const go = (): void => {
      if (next === reading) next = null
      last = reading
      turn.resolve(begin(reading))
    }
    if (before) void before.then(go)
    else go()
    reading.snapshot.catch(() => {
      // The next request reads again; whoever waits for this one hears of the failure.
      if (last === reading) last = null
    })
    return reading
  }

  return {
    at: (version: string): Promise<Snapshot> => {
      // One that was read is of that version alone: an older copy of the log may have been put back since.
      if (last && (last.version === version || (!last.isDone && isAsNew(last.version, version))))
        return last.snapshot
      if (next && isAsNew(next.version, version)) return next.snapshot
      if (next && isAsNew(version, next.version)) {
        next.version = version
        return next.snapshot
      }
      const reading = wait(version)
      if (last !== reading) next = reading
      return reading.snapshot
    },
    /** the one that was read last; undefined before the first */
    newest: (): Snapshot | undefined => newest,
  }
}

/** Makes pages with the renderer of the client's build, and the texts beside them. */
export const openRendering = (options: {
  readonly loadRenderer: () => Promise<PageRenderer>
  readonly publicUrl: string
  readonly assets: PageAssets
}) => {
  const { publicUrl, assets } = options
  // A build that was just being replaced is there the next time.
  const renderer = doneOnce(() =>
    options.loadRenderer().catch((error: unknown) => {
      throw new PageAway(error)
    }),
  )
  return {
    page: async (page: PageRequest, data: PageData, contact?: ContactOutcome): Promise<Rendered> => {
      const { render } = await renderer()
      const output = await render({ page, data, publicUrl, assets, ...(contact ? { contact } : {}) })
      const dev = assets.devHead !== undefined
      return {
        status: output.status,
        contentType: 'text/html; charset=utf-8',
        policy: policyOf({ styles: output.styles, scripts: output.scripts, dev }),
        body: Buffer.from(output.html),
      }
    },
    text: async (path: string, data: PageData): Promise<Rendered> => {
      const text = siteTexts[path]
      if (!text) throw new Error(`No text stands at ${path}`)
      const names = async () => (await renderer()).siteNames(data.siteContent)
      const { contentType, body } = await text({ data, publicUrl, names })
      return { status: 200, contentType, policy: '', body: Buffer.from(body) }
    },
  }
}
