/// <reference lib="dom" />
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright'
import { request } from 'undici'
import { chromiumArgs, findChromium } from '../test/support/chromium.ts'
import { type Gallery, startGallery } from './gallery.ts'
import { perSecond, quantile, timesOf } from './measure.ts'
import { type Bench, type Row, row } from './row.ts'

const artworks = 500
const changes = 40
const filters = 12
const kilo = 1_000

const html = async (gallery: Gallery, encoding: string): Promise<Buffer> => {
  const answer = await request(gallery.site.url, { headers: { 'accept-encoding': encoding } })
  return Buffer.from(await answer.body.arrayBuffer())
}

/** Acts as the owner. @throws when the answer is no success */
const act = async ({ site, cookie }: Gallery, method: 'POST' | 'PUT', path: string, body: object) => {
  const answer = await request(site.url + path, {
    method,
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered ${answer.statusCode}`)
  await answer.body.dump()
}

/** Two categories on the filter bar, half of the works in each. */
const divide = async (gallery: Gallery): Promise<void> => {
  for (const [sortOrder, name] of ['Landscape', 'Abstract'].entries())
    await act(gallery, 'POST', '/api/categories', { name, sortOrder })
  await perSecond(artworks, 8, (run) =>
    act(gallery, 'PUT', `/api/artworks/${gallery.ids[run]}`, {
      category: run % 2 === 0 ? 'Landscape' : 'Abstract',
    }),
  )
}

/** Milliseconds from sending a new price to having the whole page that shows it. */
const untilShown = async (gallery: Gallery, price: number): Promise<number> => {
  const [time = Number.NaN] = await timesOf(1, async () => {
    await act(gallery, 'PUT', `/api/artworks/${gallery.ids[0]}`, { price })
    const page = await request(gallery.site.url, { headers: { 'accept-encoding': 'identity' } })
    // The very next request shows it: no second try.
    if (!(await page.body.text()).includes(`₹${price.toLocaleString('en-IN')}`))
      throw new Error(`The next page did not show ₹${price}`)
  })
  return time
}

/** Bytes of scripts that a page loads: by itself, and further once somebody begins to use it. */
const scripts = async (browser: Browser, url: string): Promise<{ alone: number; used: number }> => {
  const page = await browser.newPage()
  const files = new Map<string, number>()
  page.on('response', (answer) => {
    if (!new URL(answer.url()).pathname.endsWith('.js')) return
    files.set(answer.url(), Number(answer.headers()['content-length'] ?? 0))
  })
  const sum = (): number => [...files.values()].reduce((total, bytes) => total + bytes, 0)
  try {
    await page.goto(url, { waitUntil: 'networkidle' })
    // What is fetched when the page is idle belongs to it.
    await delay(3_000)
    const alone = sum()
    await page.keyboard.press('Tab')
    await page.getByLabel('Name', { exact: true }).focus()
    await page.getByRole('button', { name: 'Send Message' }).click({ force: true })
    await delay(2_000)
    return { alone, used: sum() - alone }
  } finally {
    await page.close()
  }
}

/** Milliseconds from each press on the filter bar to the frame that shows its works, as the browser tells them. */
const filterTimes = async (page: Page, url: string): Promise<number[]> => {
  await page.goto(url, { waitUntil: 'networkidle' })
  const buttons = page.locator('#gallery form button')
  await buttons.first().scrollIntoViewIfNeeded()
  await page.evaluate(() => {
    Object.assign(window, { presses: [] })
    new PerformanceObserver((list) => {
      // Put there above.
      for (const { name, duration } of list.getEntries())
        if (name === 'click') (window as unknown as { presses: number[] }).presses.push(duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  for (let press = 0; press < filters; press += 1) {
    await buttons.nth(press % 2 === 0 ? 1 : 0).click()
    await page.waitForFunction(
      ([wanted]) => document.querySelectorAll('#gallery [data-list] > li').length === wanted,
      [press % 2 === 0 ? artworks / 2 : artworks],
    )
    await delay(100)
  }
  // Presses that took less than a frame are not told of.
  return page.evaluate(() => [0, ...(window as unknown as { presses: number[] }).presses])
}

const inBrowser = async (gallery: Gallery): Promise<Row[]> => {
  const executablePath = findChromium()
  if (executablePath === null) {
    console.log('No Chromium here (set CHROMIUM_PATH to name one): scripts and filter were not measured.')
    return []
  }
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  try {
    const artwork = `${gallery.site.url}/artwork/work-${gallery.ids[0]}`
    const [home, open] = [await scripts(browser, gallery.site.url), await scripts(browser, artwork)]
    const page = await browser.newPage()
    const presses = await filterTimes(page, gallery.site.url)
    return [
      // Fetched ahead and not run: React, router and Query, the program and an opened artwork.
      row('scripts of / without interaction', home.alone / kilo, 'kB', { aim: { atMost: 115 } }),
      row('scripts of / after it', home.used / kilo, 'kB', { aim: { atMost: 60 } }),
      row('scripts of /artwork/…', open.alone / kilo, 'kB', { aim: { atMost: 115 } }),
      row(`slowest of ${filters} filter changes, ${artworks} works`, Math.max(...presses), 'ms', {
        aim: { atMost: 100 },
      }),
    ]
  } finally {
    await browser.close()
  }
}

const bench: Bench = {
  name: `The public page with ${artworks} works`,
  run: async () => {
    const gallery = await startGallery(artworks)
    try {
      await divide(gallery)
      const quick = await html(gallery, 'br')
      const times: number[] = []
      for (let change = 0; change < changes; change += 1) {
        times.push(await untilShown(gallery, 50_000 + change))
        await delay(50)
      }
      return [
        row('HTML as it first goes out (br)', quick.length / kilo, 'kB', { aim: { atMost: 120 } }),
        row('from a change sent to the page that shows it, median', quantile(times, 0.5), 'ms', {
          aim: { atMost: 50 },
        }),
        row('from a change sent to the page that shows it, 95 %', quantile(times, 0.95), 'ms'),
        ...(await inBrowser(gallery)),
      ]
    } finally {
      await gallery.site.stop()
    }
  },
}
export default bench
