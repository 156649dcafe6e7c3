/// <reference lib="dom" />
import { envWithFonts } from '../support/font-sets.ts'
import { watchShifts } from '../support/layout-shifts.ts'
import { alive, fontsShown } from '../support/visit.ts'
import { expect, test } from './public-site.ts'

/** A phone's line as Chromium's own tools have it, in bytes a second and milliseconds. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 180_000,
  uploadThroughput: 84_375,
}

const WINDOWS = [
  [360, 780],
  [768, 1024],
  [1280, 800],
  [1920, 1080],
] as const

for (const set of ['dejavu', 'times', 'noto', 'unknown'] as const) {
  test(`nothing shifts on a first visit by slow 4G with the fonts of ${set} alone`, async ({
    playwright,
    launchOptions,
    gallery,
  }) => {
    const browser = await playwright.chromium.launch({ ...launchOptions, env: envWithFonts(set) })
    try {
      for (const [width, height] of WINDOWS) {
        const context = await browser.newContext({ viewport: { width, height } })
        const page = await context.newPage()
        const shifted = await watchShifts(page)
        const line = await context.newCDPSession(page)
        await line.send('Network.enable')
        await line.send('Network.emulateNetworkConditions', SLOW_4G)
        await page.goto(gallery.site.url)
        await alive(page)
        await fontsShown(page)
        const { score, moved } = await shifted()
        expect(score, `${width} px ${moved.join('; ')}`).toBeLessThan(0.02)
        await context.close()
      }
    } finally {
      await browser.close()
    }
  })
}

const CUTS = ['300', '400', 'italic 300', 'italic 400']

for (const [set, name] of [
  ['dejavu', 'DejaVu '],
  ['times', ''],
  ['noto', 'Noto '],
] as const) {
  test(`every cut of the letters is as wide as what stands in for it with the fonts of ${set}`, async ({
    playwright,
    launchOptions,
    gallery,
  }) => {
    const sans = set === 'noto' ? 'Roboto ' : name
    const pairs = [
      ...CUTS.map((cut) => [`${cut} 32px "Newsreader"`, `${cut} 32px "Newsreader ${name}Fallback"`]),
      ...['400', '500'].map((cut) => [`${cut} 17px "Anek Latin"`, `${cut} 17px "Anek ${sans}Fallback"`]),
    ]
    const browser = await playwright.chromium.launch({ ...launchOptions, env: envWithFonts(set) })
    try {
      const page = await browser.newPage()
      await page.goto(gallery.site.url)
      await fontsShown(page)
      const widths = await page.evaluate(async (all) => {
        const text =
          'Every mark is a small promise that the hand keeps to the eye. Colour is the place where brain and world meet.'
        const widthIn = (font: string): number => {
          const line = document.createElement('span')
          line.style.position = 'absolute'
          line.style.whiteSpace = 'nowrap'
          line.style.font = font
          line.textContent = text
          document.body.append(line)
          const { width } = line.getBoundingClientRect()
          line.remove()
          return width
        }
        // A face whose font is not there is refused.
        await Promise.all(all.flat().map((font) => document.fonts.load(font, text)))
        return all.map(([own = '', stand = '']) => ({ own, ratio: widthIn(stand) / widthIn(own) }))
      }, pairs)
      for (const { own, ratio } of widths) {
        expect(ratio, own).toBeGreaterThan(0.98)
        expect(ratio, own).toBeLessThan(1.02)
      }
    } finally {
      await browser.close()
    }
  })
}

test('a bare machine is asked for no face that it does not have', async ({
  playwright,
  launchOptions,
  bareSite,
}) => {
  const browser = await playwright.chromium.launch({ ...launchOptions, env: envWithFonts('dejavu') })
  try {
    const page = await browser.newPage()
    await page.goto(bareSite.url)
    await fontsShown(page)
    // One that the machine does not have, or of which a name was tried in vain first, costs some half a millisecond.
    const asked = await page.evaluate(() =>
      [...document.fonts]
        .filter(({ family, status }) => family.includes('Fallback') && status !== 'unloaded')
        .map(({ family, status }) => `${family.replaceAll('"', '')} ${status}`),
    )
    expect(asked.filter((face) => !face.endsWith('DejaVu Fallback loaded'))).toEqual([])
    expect(asked).toContain('Newsreader DejaVu Fallback loaded')
  } finally {
    await browser.close()
  }
})

/** How many sections of the page are left out of the layout at this moment, and how high the page is. */
const leftOut = (): { sections: number; height: number } => ({
  sections: [...document.querySelectorAll('main > section, footer')].filter(
    (section) => getComputedStyle(section).contentVisibility === 'hidden',
  ).length,
  height: document.documentElement.scrollHeight,
})

test('fonts that come late are shown together, with what lies below the view laid out after them', async ({
  page,
  gallery,
}) => {
  await page.addInitScript(`window.leftOut = ${leftOut.toString()}`)
  await page.addInitScript(() => {
    const statuses: string[] = []
    const shown = { statuses, leftOut: { sections: 0, height: 0 } }
    Object.assign(window, { shown })
    const add = document.fonts.add.bind(document.fonts)
    document.fonts.add = (face) => {
      // Put there above.
      shown.leftOut = (window as unknown as { leftOut: () => typeof shown.leftOut }).leftOut()
      if (!face.unicodeRange.startsWith('U+100') || face.family.includes('Anek'))
        statuses.push(`${face.family.replaceAll('"', '')} ${face.status}`)
      return add(face)
    }
  })
  await page.goto(gallery.site.url)
  await fontsShown(page)
  // Kept there above.
  const shown = await page.evaluate(
    () => (window as unknown as { shown: { statuses: string[]; leftOut: ReturnType<typeof leftOut> } }).shown,
  )
  expect(shown.statuses).toEqual([
    ...CUTS.map(() => 'Newsreader loaded'),
    'Anek Latin loaded',
    'Anek Latin loaded',
    'Eczar Devanagari unloaded',
  ])
  expect(shown.leftOut.sections).toBeGreaterThan(3)
  await expect.poll(async () => (await page.evaluate(leftOut)).sections).toBe(0)
  const { height } = await page.evaluate(leftOut)
  expect(Math.abs(shown.leftOut.height - height) / height).toBeLessThan(0.01)
})

test('a key while what lies below the view is left out finds it', async ({ page, gallery }) => {
  // It stays left out: the timers that lay it out, of two frames, never come.
  await page.addInitScript(() => {
    const later = window.setTimeout.bind(window)
    Object.assign(window, { setTimeout: (work: () => void, ms = 0) => (ms === 34 ? 0 : later(work, ms)) })
  })
  await page.goto(gallery.site.url)
  await page.waitForFunction(
    () => getComputedStyle(document.querySelector('footer') ?? document.body).contentVisibility === 'hidden',
  )
  await page.keyboard.press('Shift+Tab')
  await expect(
    page.locator('footer').getByRole('link').or(page.locator('footer button')).last(),
  ).toBeFocused()
})

for (const [set, path, drawn] of [
  ['times', '/', 'Newsreader'],
  ['times', '/admin', 'Newsreader'],
  ['dejavu', '/admin', 'Newsreader'],
  ['unknown', '/', 'Roboto'],
] as const) {
  test(`a first view of ${path} begun with the fonts of ${set} goes on in ${drawn}`, async ({
    playwright,
    launchOptions,
    gallery,
  }) => {
    const browser = await playwright.chromium.launch({ ...launchOptions, env: envWithFonts(set) })
    try {
      const page = await browser.newPage()
      await page.goto(gallery.site.url + path)
      const heading = path === '/' ? 'h1' : '[role=dialog] h2'
      if (path === '/') await alive(page)
      await page.locator(heading).waitFor()
      await fontsShown(page)
      const tools = await page.context().newCDPSession(page)
      await tools.send('DOM.enable')
      await tools.send('CSS.enable')
      const { root } = await tools.send('DOM.getDocument')
      const { nodeId } = await tools.send('DOM.querySelector', { nodeId: root.nodeId, selector: heading })
      const { fonts } = await tools.send('CSS.getPlatformFontsForNode', { nodeId })
      expect(fonts.map(({ familyName }) => familyName.split(' ')[0])).toEqual([drawn])
    } finally {
      await browser.close()
    }
  })
}
