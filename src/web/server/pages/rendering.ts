import { doneOnce } from '#application/kernel/sharing.ts'
import { within } from '#application/kernel/within.ts'
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
  /** among all that this process reads, in the order in which they are begun */
  nth: number
}

/** One is read behind the other for so long, in ms: an engine that does not answer one may answer the next. */
const inTurnMs = 1_000

/** A reading of what pages show. */
interface Reading {
  /** until it is begun that of whoever has asked last of those who wait for it */
  version: string
  /** when that was */
  askedAt: number
  /** as `performance.now` has it; none before it is begun */
  beganAt: number
  readonly snapshot: Promise<Snapshot>
}

/**
 * Gives the snapshot of a version, or one that is begun behind the asking; the last one is kept, unless it could not be read. While
 * changes come faster than they are read, readers share the next one.
 */
export const openSnapshots = (readPageData: (version: string) => PageData | Promise<PageData>) => {
  let last: Reading | null = null
  let next: Reading | null = null
  let newest: Snapshot | undefined
  let begun = 0

  const begin = async (reading: Reading): Promise<Snapshot> => {
    const { version } = reading
    begun += 1
    const nth = begun
    const data = await readPageData(version)
    const snapshot = { version, data, places: placesOf(data), nth }
    if (last === reading) newest = snapshot
    return snapshot
  }

  /** To be begun once the last one is done. */
  const wait = (version: string, askedAt: number): Reading => {
    const before = last && within(last.snapshot, inTurnMs, () => undefined).catch(() => undefined)
    const turn = Promise.withResolvers<Snapshot>()
    const reading: Reading = { version, askedAt, beganAt: -Infinity, snapshot: turn.promise }
    const go = (): void => {
      if (next === reading) next = null
      last = reading
      reading.beganAt = performance.now()
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
    /** @param askedAt by whoever has that version, as `performance.now` had it no later than the version was read */
    at: (version: string, askedAt: number): Promise<Snapshot> => {
      // The versions do not tell which is newer: an older copy of the log may have been put back since.
      if (last && (last.version === version || last.beganAt > askedAt)) return last.snapshot
      if (next) {
        if (askedAt >= next.askedAt) Object.assign(next, { version, askedAt })
        return next.snapshot
      }
      const reading = wait(version, askedAt)
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
