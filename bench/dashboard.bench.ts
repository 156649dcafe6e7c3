/// <reference lib="dom" />
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type CDPSession, chromium, type Locator, type Page } from 'playwright'
import { chromiumArgs, findChromium } from '../test/support/chromium.ts'
import { password, type Site } from '../test/support/site.ts'
import { startGallery } from './gallery.ts'
import { perSecond, quantile } from './measure.ts'
import { type Bench, type Row, row } from './row.ts'

const artworks = 1_000
const messages = 5_000
/** The contact form takes five messages from one address. */
const perAddress = 5
const wheels = 40
/** About two seconds: the list goes on a little after the wheel. */
const countedFrames = 120
const bareRuns = 20
/** A machine that does much else is waited for; what it measures then is its own affair. */
const timeoutMs = 120_000

declare global {
  interface Window {
    /** milliseconds from an input to the frame that shows what it did, as the browser tells them */
    inputs: number[]
  }
}

/** Messages as visitors send them, each five from an address of their own. */
const receive = async (site: Site): Promise<void> => {
  await perSecond(messages, 8, async (run) => {
    const address = Math.floor(run / perAddress)
    const answer = await fetch(`${site.url}/api/contact`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.${address >> 8}.${address & 255}.1`,
      },
      body: JSON.stringify({
        name: `Visitor ${run}`,
        email: `visitor${run}@example.org`,
        subject: 'general',
        message: 'I saw it at the show.\n'.repeat(1 + (run % 6)),
      }),
    })
    if (!answer.ok) throw new Error(`A letter was answered ${answer.status}: ${await answer.text()}`)
  })
}

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never
type Interaction = {
  readonly what: string
  readonly milliseconds: number
  /** what the page's own thread worked for it, however often it had to wait for a core */
  readonly work: number
}

const sessions = new WeakMap<Page, CDPSession>()

/** Milliseconds that the page's own thread has worked so far. */
const artworkOf = async (page: Page): Promise<number> => {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  if (!sessions.has(page)) await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  sessions.set(page, session)
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

/** Does something by mouse or keys. @returns the slowest input of it, 0 when none took longer than a frame */
const timed = async (
  page: Page,
  what: string,
  act: () => Promise<unknown>,
  shown: Locator,
  state: 'visible' | 'hidden' = 'visible',
): Promise<Interaction> => {
  await page.evaluate(() => window.inputs.splice(0))
  const before = await artworkOf(page)
  await act()
  await shown.waitFor({ state })
  // The browser tells of an input once the frame after it is on screen.
  const inputs = await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    await new Promise((resolve) => setTimeout(resolve, 50))
    return window.inputs
  })
  return { what, milliseconds: Math.max(0, ...inputs), work: (await artworkOf(page)) - before }
}

/** Scrolls by the wheel, as fast as it goes. @returns the gaps between the frames */
const scrolled = async (page: Page, over: Locator): Promise<readonly number[]> => {
  await over.hover()
  const counted = page.evaluate(async (frames) => {
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    const gaps: number[] = []
    let last = await nextFrame()
    for (let frame = 0; frame < frames; frame += 1) {
      // Frames come one after the other.
      const now = await nextFrame()
      gaps.push(now - last)
      last = now
    }
    return gaps
  }, countedFrames)
  for (let wheel = 0; wheel < wheels; wheel += 1) await page.mouse.wheel(0, 500)
  return counted
}

const watchInputs = (): void => {
  window.inputs = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.inputs.push(duration)
    // The threshold is not among the options that the library knows yet.
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

const interactions = async (page: Page): Promise<{ all: Interaction[]; frames: readonly number[] }> => {
  const all: Interaction[] = []
  const measure = async (...interaction: Tail<Parameters<typeof timed>>): Promise<void> => {
    all.push(await timed(page, ...interaction))
  }
  const tab = (name: string): Locator => page.getByRole('tab', { name })
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name }).first()
  const dialog = page.getByRole('dialog')
  const told = (text: string): Locator => page.locator('[data-toasts]').getByText(text)
  const escape = () => page.keyboard.press('Escape')

  await measure('open Gallery', () => tab('Gallery').click(), page.getByRole('article').first())
  const search = page.getByPlaceholder('Search title, medium, year')
  await measure('search works', () => search.pressSequentially('no. 77'), page.getByText(/of 1,?000 shown/))
  await measure('end the search', () => search.fill(''), page.getByRole('article').nth(5))
  await measure('hide a work', () => button(/^Hide Monsoon/).click(), told('Artwork visibility updated.'))
  await measure('open a menu', () => button(/^More: /).click(), page.getByRole('menu'))
  await measure(
    'mark as sold',
    () => page.getByRole('menuitemradio', { name: 'Sold' }).click(),
    told('Artwork updated successfully.'),
  )
  await measure('open a work', () => button(/^Edit Monsoon/).click(), dialog)
  const title = dialog.getByLabel('Title')
  await measure('write in a work', () => title.pressSequentially(' anew'), title)
  await measure('save a work', () => button('Update Artwork').click(), dialog, 'hidden')
  await measure('arrange', () => button('Arrange').click(), button(/^Move down/))
  await measure('move a work', () => button(/^Move down/).click(), button(/^Move up/))
  await button('Arrange').click()
  const frames = [...(await scrolled(page, page.getByRole('article').first()))]

  await measure('open Messages', () => tab('Messages').click(), page.getByRole('article').first())
  await measure('mark as read', () => button('Mark Read').click(), told('Message marked as read.'))
  const find = page.getByPlaceholder('Search messages')
  await measure(
    'search messages',
    () => find.pressSequentially('Visitor 4321'),
    page.getByText('Visitor 4321').first(),
  )
  await measure('end that search', () => find.fill(''), page.getByRole('article').nth(2))
  await measure('ask to delete', () => button(/^Delete the message/).click(), page.getByRole('alertdialog'))
  await escape()
  frames.push(...(await scrolled(page, page.getByRole('article').first())))

  await measure('open Categories', () => tab('Categories').click(), button('Add Category'))
  await measure('open Blog', () => tab('Blog').click(), button('Sync Now'))
  await measure('open Content', () => tab('Content').click(), page.getByLabel('Artist Name'))
  const name = page.getByLabel('Artist Name')
  await measure('write in Content', () => name.pressSequentially('Leela'), button('Save Changes'))
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await measure('open Activity', () => button('Activity').click(), dialog.getByRole('listitem').first())
  await escape()
  return { all, frames }
}

/** What the browser itself takes on this machine, just now: a button that shows a word, on a page with nothing else. */
const bareButton = async (page: Page): Promise<number> => {
  await page.setContent('<button>Press</button><p hidden>Pressed</p>')
  await page.evaluate(watchInputs)
  const press = page.getByRole('button')
  const pressed = page.getByText('Pressed')
  const times: number[] = []
  for (let run = 0; run < bareRuns; run += 1) {
    await page.evaluate(() => {
      const word = document.querySelector('p')
      if (word) word.hidden = true
      document.querySelector('button')?.addEventListener('click', () => word && (word.hidden = false))
    })
    times.push((await timed(page, 'a bare button', () => press.click(), pressed)).milliseconds)
  }
  return Math.max(...times)
}

/** kB of brotli that this address is on the wire. */
const kilobytes = async (path: string): Promise<number> => {
  const file = join(import.meta.dirname, '..', 'dist', 'client', path)
  const { size } = await stat(`${file}.br`).catch(() => stat(file))
  return size / 1_000
}

/** The scripts and styles that a page has asked for by the time that `shown` is there. */
const codeOf = async (
  page: Page,
  url: string,
  shown: (page: Page) => Promise<unknown>,
): Promise<readonly string[]> => {
  const asked = new Set<string>()
  page.on('request', (request) => {
    if (['script', 'stylesheet'].includes(request.resourceType())) asked.add(new URL(request.url()).pathname)
  })
  const isShown = shown(page)
  await page.goto(url)
  await isShown
  return [...asked]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

const measureIn = async (site: Site, executablePath: string): Promise<Row[]> => {
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(timeoutMs)
    const publicCode = await codeOf(await context.newPage(), `${site.url}/`, (page) =>
      page.waitForRequest('**/api/changes*'),
    )
    await context.request.post(`${site.url}/api/login`, { data: { username: 'admin', password } })
    const page = await context.newPage()
    await page.addInitScript(watchInputs)
    const code = (
      await codeOf(page, `${site.url}/admin`, () =>
        page.getByRole('textbox', { name: 'Hero Description' }).waitFor(),
      )
    ).filter((path) => !publicCode.includes(path))
    const [editor, others] = [true, false].map((is) =>
      code.filter((path) => path.includes('/editor-') === is),
    )
    const { all, frames } = await interactions(page)
    const slowest = all.toSorted((one, other) => other.milliseconds - one.milliseconds)
    const [hardest] = all.toSorted((one, other) => other.work - one.work)
    return [
      row(
        "dashboard's own code and styles, brotli",
        sum(await Promise.all((others ?? []).map(kilobytes))),
        'kB',
      ),
      row('text editor, brotli', sum(await Promise.all((editor ?? []).map(kilobytes))), 'kB'),
      ...slowest.slice(0, 5).map(({ what, milliseconds }, place) =>
        row(place === 0 ? `slowest interaction: ${what}` : what, milliseconds, 'ms', {
          aim: { atMost: 100 },
        }),
      ),
      row(`most work of the page's own thread: ${hardest?.what}`, hardest?.work ?? 0, 'ms'),
      row('slowest of a bare button on an empty page', await bareButton(await context.newPage()), 'ms'),
      row('scrolling, 95 of 100 frames come within', quantile(frames, 0.95), 'ms', { aim: { atMost: 34 } }),
      row('scrolling, longest frame', Math.max(...frames), 'ms'),
    ]
  } finally {
    await browser.close()
  }
}

/** The workshop of somebody who has painted and been written to for decades. */
const bench: Bench = {
  name: `Dashboard with ${artworks} works and ${messages} messages`,
  run: async () => {
    const executablePath = findChromium()
    if (executablePath === null) {
      console.log('Left out: there is no Chromium here (set CHROMIUM_PATH to name one).')
      return []
    }
    const { site } = await startGallery(artworks, { TRUST_PROXY: '1' })
    try {
      await receive(site)
      return await measureIn(site, executablePath)
    } finally {
      await site.stop()
    }
  },
}
export default bench
