/// <reference lib="dom" />
import { existsSync } from 'node:fs'
import { type Browser as Puppeteer, type ElementHandle, type Page, launch } from 'puppeteer-core'
import {
  type Browser,
  type Engine,
  type Target,
  type View,
  find,
  middleOf,
  takesClick,
  until,
} from './view.ts'

const usual = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']

/** FIREFOX_PATH, else the usual places. */
const path = process.env['FIREFOX_PATH'] ?? usual.find((each) => existsSync(each)) ?? null

const reach = (page: Page, { role, name, within }: Target): Promise<ElementHandle<Element>> =>
  until(`a ${role} called ${name}`, async () => {
    const handle = await page.evaluateHandle(find, role, name, within ?? null)
    const element = handle.asElement()
    // The function answers an element or null, which puppeteer types as any node.
    return element === null ? null : (element as ElementHandle<Element>)
  })

const viewOf = (page: Page): View => ({
  goto: async (address) => void (await page.goto(address)),
  reload: async () => void (await page.reload()),
  back: async () => void (await page.goBack()),
  evaluate: async (script, ...args) => {
    // In the page both are what they were here: a function as source, and JSON.
    const run = script as unknown as (...all: unknown[]) => unknown
    const answer: unknown = await page.evaluate(run, ...args)
    // What comes out is JSON of what the script gives.
    return answer as never
  },
  click: async (target) => {
    const element = await reach(page, target)
    await until(`${target.name} takes a click`, () => element.evaluate(takesClick))
    // Not the element's own click: what that waits for first never comes where scripts are off.
    const { x, y } = await element.evaluate(middleOf)
    await page.mouse.click(x, y)
  },
  type: async (target, text) => {
    const element = await reach(page, target)
    const isSelect = await element.evaluate((each) => each.localName === 'select')
    if (isSelect) {
      await element.select(text)
      return
    }
    await element.evaluate((each) => {
      if (each instanceof HTMLElement) each.focus()
      if (each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement) each.select()
    })
    await page.keyboard.press('Backspace')
    await element.type(text)
  },
  press: (key) => page.keyboard.press(key),
  upload: async (selector, file) => {
    const field = await until(`a file field in ${selector}`, () => page.$(`${selector} input[type=file]`))
    // The selector names an input element.
    await (field as ElementHandle<HTMLInputElement>).uploadFile(file)
  },
  close: () => page.browserContext().close(),
})

/** Firefox by WebDriver BiDi; each page has cookies of its own. */
export const firefox: Engine = {
  name: 'Firefox',
  missing:
    path === null
      ? 'no Firefox found: install it (on Debian `apt install firefox-esr`) or set FIREFOX_PATH'
      : null,
  start: async (): Promise<Browser> => {
    if (path === null) throw new Error('There is no Firefox here')
    // Whether scripts run is a preference of the whole browser, so there is one for each answer.
    const running = new Map<boolean, Promise<Puppeteer>>()
    const browserFor = (script: boolean): Promise<Puppeteer> => {
      const started =
        running.get(script) ??
        launch({
          browser: 'firefox',
          executablePath: path,
          headless: true,
          extraPrefsFirefox: { 'javascript.enabled': script, 'ui.prefersReducedMotion': 1 },
        })
      running.set(script, started)
      return started
    }
    return {
      open: async ({ script = true, width = 1280 } = {}) => {
        const context = await (await browserFor(script)).createBrowserContext()
        const page = await context.newPage()
        await page.setViewport({ width, height: 800 })
        return viewOf(page)
      },
      close: async () => {
        await Promise.all([...running.values()].map(async (each) => (await each).close()))
      },
    }
  },
}
