/// <reference lib="dom" />
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { Builder, By, Key, type WebDriver, WebElement } from 'selenium-webdriver'
import { codeOf } from '#application/kernel/reason.ts'
import { within } from '#application/kernel/within.ts'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { type Browser, type Engine, type Target, type View, find, takesClick, until } from './view.ts'

/** Debian's places: the small browser stands beside the engine's own processes. */
const miniBrowser =
  ['4.1', '4.0', '6.0']
    .flatMap((version) =>
      ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
        (machine) => `/usr/lib/${machine}/webkit2gtk-${version}/MiniBrowser`,
      ),
    )
    .find((each) => existsSync(each)) ?? null

const isThere = (program: string): boolean => spawnSync('which', [program]).status === 0

const missing = ((): string | null => {
  if (miniBrowser === null || !isThere('WebKitWebDriver'))
    return 'no WebKitGTK found: on Debian `apt install webkit2gtk-driver`'
  if (process.env['DISPLAY'] === undefined && !isThere('Xvfb'))
    return 'no screen for WebKitGTK: on Debian `apt install xvfb`'
  return null
})()

const reach = (driver: WebDriver, { role, name, within }: Target): Promise<WebElement> =>
  until(`a ${role} called ${name}`, async () => {
    const found: unknown = await driver.executeScript(
      `return (${find.toString()})(...arguments)`,
      role,
      name,
      within ?? null,
    )
    return found instanceof WebElement ? found : null
  })

/** Scrolls to an element and waits until nothing lies above it any more. */
const bringNear = (driver: WebDriver, element: WebElement, { name }: Target): Promise<true> =>
  until(`${name} takes a click`, () =>
    driver.executeScript<true | null>(`return (${takesClick.toString()})(arguments[0])`, element),
  )

/** Chooses in a list as the browser does when a choice is made. Handed over as source. */
const choose = (list: HTMLSelectElement, value: string): void => {
  list.value = value
  for (const type of ['input', 'change']) list.dispatchEvent(new Event(type, { bubbles: true }))
}

const KEYS = { Escape: Key.ESCAPE, ArrowRight: Key.ARROW_RIGHT, Enter: Key.ENTER, Tab: Key.TAB } as const

const viewOf = (driver: WebDriver): View => ({
  goto: (address) => driver.get(address),
  reload: () => driver.navigate().refresh(),
  // The driver's own way back waits for a load, which within one document sometimes never comes.
  back: async () => {
    await driver.executeScript('history.back()')
  },
  evaluate: async (script, ...args) => {
    const answer: unknown = await driver.executeScript(`return (${script.toString()})(...arguments)`, ...args)
    // What comes out is JSON of what the script gives.
    return answer as never
  },
  click: async (target) => {
    // What has been drawn anew meanwhile is refused by the driver before it clicks.
    await until(`${target.name} is clicked`, async () => {
      const element = await reach(driver, target)
      await bringNear(driver, element, target)
      await driver.actions().move({ origin: element }).click().perform()
      return true
    })
  },
  type: async (target, text) => {
    const element = await reach(driver, target)
    if ((await element.getTagName()).toLowerCase() === 'select') {
      // Its list is a window of the system's, which the driver cannot reach.
      await driver.executeScript(choose, element, text)
      return
    }
    await bringNear(driver, element, target)
    await driver.executeScript('arguments[0].focus(); arguments[0].select()', element)
    await driver.actions().sendKeys(Key.BACK_SPACE, text).perform()
  },
  press: (key) => driver.actions().sendKeys(KEYS[key]).perform(),
  upload: async (selector, file) => {
    const field = await until(`a file field in ${selector}`, async () => {
      const [first] = await driver.findElements(By.css(`${selector} input[type=file]`))
      return first ?? null
    })
    await field.sendKeys(file)
  },
  close: () => driver.quit(),
})

/** Starts a screen that nobody sees. @returns its name for DISPLAY, and the process */
const startScreen = async (): Promise<{ display: string; process: ChildProcess }> => {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  // The fourth of `stdio` is a pipe that is read.
  const lines = createInterface({ input: screen.stdio[3] as Readable })
  const [number] = (await once(lines, 'line')) as [string]
  return { display: `:${number}`, process: screen }
}

interface Started {
  readonly process: ChildProcess
  readonly driver: WebDriver
}

/** Until a browser must have come up, in ms; and how often another is tried. */
const comesUpMs = 120_000
const tries = 4

/** Ends a driver and the browser that it has started. */
const endGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** A browser that has shown that it answers. */
const comeUp = async (builder: Builder): Promise<WebDriver> => {
  const driver = await builder.build()
  await driver.get('about:blank')
  await driver.executeScript('return document.readyState')
  return driver
}

/**
 * Starts a driver with its browser. On a busy machine WebKitWebDriver now and then misses that its browser has come up,
 * or the first thing that it answers, and waits for that for ever: nothing of the site has been asked for by then, so
 * another is started.
 */
const startDriver = async (binary: string, env: NodeJS.ProcessEnv): Promise<Started> => {
  for (let left = tries; left > 0; left -= 1) {
    const port = await freePort()
    const server = spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore', detached: true })
    await until('WebKitWebDriver', async () => (await fetch(`http://127.0.0.1:${port}/status`)).ok)
    const builder = new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    })
    const driver = await within(comeUp(builder), comesUpMs, () => null)
    if (driver !== null) return { process: server, driver }
    endGroup(server)
  }
  throw new Error(`WebKitGTK did not come up in ${tries} tries`)
}

/**
 * WebKitGTK by its WebDriver, on a screen that nobody sees. One driver has one session, so each page has a driver of
 * its own. Scripts cannot be turned off there: the driver itself finds elements by them.
 */
export const webkit: Engine = {
  name: 'WebKitGTK',
  missing,
  start: async (): Promise<Browser> => {
    if (miniBrowser === null) throw new Error('There is no WebKitGTK here')
    const screen = process.env['DISPLAY'] === undefined ? await startScreen() : null
    const env = { ...process.env, ...(screen && { DISPLAY: screen.display }) }
    const running = new Set<Started>()
    return {
      open: async ({ width = 1280 } = {}) => {
        const started = await startDriver(miniBrowser, env)
        running.add(started)
        await started.driver.manage().window().setRect({ width, height: 900 })
        return viewOf(started.driver)
      },
      close: async () => {
        for (const { process: server, driver } of running) {
          // A page that a test has closed has no session any more.
          await driver.quit().catch(() => null)
          endGroup(server)
        }
        screen?.process.kill()
      },
    }
  },
}
