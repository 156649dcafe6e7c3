/// <reference lib="dom" />
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium, devices } from 'playwright'
import { chromiumArgs, findChromium } from '../test/support/chromium.ts'
import { startGallery } from './gallery.ts'
import { median } from './measure.ts'
import { type Bench, row } from './row.ts'

const artworks = 24
const taps = 5

/** Lighthouse's slow 4G, as it is applied to a real connection, and a quarter of the CPU. */
const slow = {
  network: {
    offline: false,
    latency: 562.5,
    downloadThroughput: (1_474.56 * 1_000) / 8,
    uploadThroughput: (675 * 1_000) / 8,
  },
  cpu: 4,
}

/** Keeps when the page was tapped, and when the frame came that shows the artwork as the program does. */
const watchTap = (): void => {
  const times = { tapped: 0, shown: 0 }
  Object.assign(window, { times })
  addEventListener('pointerdown', ({ timeStamp }) => (times.tapped = timeStamp), {
    capture: true,
    once: true,
  })
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[data-overlay][aria-modal=true]')) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => (times.shown = performance.now())))
  })
  observer.observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['aria-modal'],
  })
}

type Manner = { readonly throttled: boolean /** what is fetched ahead has come */; readonly later: boolean }

/** Milliseconds from the first tap of a new visitor to the artwork in place. */
const firstTap = async (browser: Browser, url: string, { throttled, later }: Manner): Promise<number> => {
  const context = await browser.newContext(devices['Pixel 7'])
  try {
    const page = await context.newPage()
    await page.addInitScript(watchTap)
    if (throttled) {
      const tools = await context.newCDPSession(page)
      await tools.send('Network.enable')
      await tools.send('Network.emulateNetworkConditions', slow.network)
      await tools.send('Emulation.setCPUThrottlingRate', { rate: slow.cpu })
    }
    const tile = page.locator('[data-list=featured] a').first()
    await page.goto(url, { waitUntil: later ? 'networkidle' : 'load' })
    // The page fetches ahead when it is idle.
    if (later) await delay(throttled ? 8_000 : 2_000)
    const box = await tile.boundingBox()
    if (!box) throw new Error('There is no tile in the first view')
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    // Kept there above.
    const shown = await page.waitForFunction(() => {
      const { tapped, shown } = (window as unknown as { times: { tapped: number; shown: number } }).times
      return shown > 0 && shown - tapped
    })
    return Number(await shown.jsonValue())
  } finally {
    await context.close()
  }
}

const bench: Bench = {
  name: `First tap on an artwork, ${artworks} artworks, median of ${taps}`,
  run: async () => {
    const executablePath = findChromium()
    if (executablePath === null) {
      console.log('No Chromium here (set CHROMIUM_PATH to name one): nothing was measured.')
      return []
    }
    const gallery = await startGallery(artworks)
    const browser = await chromium.launch({ executablePath, args: chromiumArgs })
    try {
      const times = async (manner: Manner): Promise<number> => {
        const found: number[] = []
        for (let tap = 0; tap < taps; tap += 1) found.push(await firstTap(browser, gallery.site.url, manner))
        return median(found)
      }
      return [
        row('slow 4G, CPU ÷ 4, once the page is idle', await times({ throttled: true, later: true }), 'ms', {
          aim: { atMost: 1_500 },
        }),
        row('slow 4G, CPU ÷ 4, at the load event', await times({ throttled: true, later: false }), 'ms'),
        row(
          'unthrottled, at the load event, the fetch included',
          await times({ throttled: false, later: false }),
          'ms',
          {
            aim: { atMost: 300 },
          },
        ),
      ]
    } finally {
      await browser.close()
      await gallery.site.stop()
    }
  },
}
export default bench
