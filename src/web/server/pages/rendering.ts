import { doneOnce } from '#application/kernel/sharing.ts'
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

/** Gives the snapshot of a version; the last one is kept, unless it could not be read. */
export const openSnapshots = (readPageData: (version: string) => PageData | Promise<PageData>) => {
  let last: { version: string; snapshot: Promise<Snapshot> } | null = null
  let newest: Snapshot | undefined
  const read = async (version: string): Promise<Snapshot> => {
    const data = await readPageData(version)
    const snapshot = { version, data, places: placesOf(data) }
    if (last?.version === version) newest = snapshot
    return snapshot
  }
  return {
    at: (version: string): Promise<Snapshot> => {
      if (last?.version === version) return last.snapshot
      const reading = { version, snapshot: read(version) }
      last = reading
      reading.snapshot.catch(() => {
        // The next request reads again; whoever waits for this one hears of the failure.
        if (last === reading) last = null
      })
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
