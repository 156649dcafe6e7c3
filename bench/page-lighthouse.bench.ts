import lighthouse from 'lighthouse'
import { chromium } from 'playwright'
import { chromiumArgs, findChromium } from '../test/support/chromium.ts'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { signIn, type Site, startSite } from '../test/support/site.ts'
import { frontOf, withoutScript } from './front.ts'
import { untilImagesReady } from './gallery.ts'
import { median } from './measure.ts'
import { type Bench, type Row, row } from './row.ts'

const artworks = 24
const runs = 7
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const timings = {
  'first-contentful-paint': { unit: 'ms' },
  'speed-index': { unit: 'ms' },
  'cumulative-layout-shift': { unit: '', aim: { atMost: 0.02 } },
} as const
const blocking = 'total-blocking-time'
const largest = 'largest-contentful-paint'

/** The sample paintings, hung twice: real images in real proportions. */
const hang = async (site: Site): Promise<void> => {
  const cookie = await signIn(site)
  // The public list as the contract has it; what is sent back of an artwork are fields that creating takes.
  const shown = (await (await fetch(`${site.url}/api/artworks`)).json()) as Record<string, unknown>[]
  for (let number = shown.length; number < artworks; number += 1) {
    const artwork = shown[number % shown.length] ?? {}
    const taken = [
      'description',
      'imageUrl',
      'price',
      'category',
      'medium',
      'dimensions',
      'yearCreated',
      'altText',
    ]
    const answer = await fetch(`${site.url}/api/artworks`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...Object.fromEntries(taken.map((field) => [field, artwork[field]])),
        title: `${String(artwork['title'])}, second state`,
      }),
    })
    if (!answer.ok) throw new Error(`An artwork was answered ${answer.status}: ${await answer.text()}`)
  }
  // A dozen large paintings in three formats and six widths each.
  await untilImagesReady(site, 600_000)
}

/** One look at `url` by Lighthouse's mobile defaults (simulated throttling), in a browser of its own. */
const look = async (url: string, executablePath: string): Promise<Record<string, number>> => {
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath,
    args: [...chromiumArgs, `--remote-debugging-port=${port}`],
  })
  try {
    const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: [...categories] })
    if (!result || result.lhr.runtimeError)
      throw new Error(`Lighthouse gave up: ${result?.lhr.runtimeError?.message ?? 'no result'}`)
    const { lhr } = result
    return Object.fromEntries([
      ...categories.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]),
      ...[...Object.keys(timings), blocking, largest].map((name) => [
        name,
        lhr.audits[name]?.numericValue ?? Number.NaN,
      ]),
    ])
  } finally {
    await browser.close()
  }
}

/** The median of each figure over all looks. */
const middleOf = (looks: readonly Record<string, number>[]): ((name: string) => number) => {
  return (name) => median(looks.map((each) => each[name] ?? Number.NaN))
}

const bench: Bench = {
  name: `Lighthouse, mobile, ${artworks} artworks, simulated throttling, median of ${runs}, beside the page without script`,
  run: async () => {
    const executablePath = findChromium()
    if (executablePath === null) {
      console.log('No Chromium here (set CHROMIUM_PATH to name one): nothing was measured.')
      return []
    }
    const site = await startSite({ env: { SAMPLES: 'auto' } })
    try {
      await hang(site)
      const [whole, bare] = [await frontOf(site.url, (html) => html), await frontOf(site.url, withoutScript)]
      try {
        const looks: Record<string, number>[] = []
        const bareLooks: Record<string, number>[] = []
        // In turns, so that what else the machine does falls on both alike.
        for (let run = 0; run < runs; run += 1) {
          looks.push(await look(whole.url, executablePath))
          bareLooks.push(await look(bare.url, executablePath))
        }
        const [middle, bareMiddle] = [middleOf(looks), middleOf(bareLooks)]
        return [
          ...categories.map((name) => row(name, middle(name), 'of 100', { aim: { atLeast: 100 } })),
          row(`${blocking}, page without script`, bareMiddle(blocking), 'ms', { aim: { atMost: 45 } }),
          row(`${blocking}, beyond it`, middle(blocking) - bareMiddle(blocking), 'ms', {
            aim: { atMost: 10 },
          }),
          row(largest, middle(largest), 'ms', {
            floor: { what: 'without script', value: bareMiddle(largest) },
            aim: { atMost: 1.1 },
          }),
          ...Object.entries(timings).map(
            ([name, { unit, ...against }]): Row => row(name, middle(name), unit, against),
          ),
        ]
      } finally {
        await Promise.all([whole.stop(), bare.stop()])
      }
    } finally {
      await site.stop()
    }
  },
}
export default bench
