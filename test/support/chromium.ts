import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

const usual = [
  // Debian's build without a window paints the same, and the journeys take a quarter less time in it.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Finds the browser of the journeys: CHROMIUM_PATH, else the usual places, else the one Playwright has downloaded.
 * @returns the path of an executable that exists, or null
 * @throws when CHROMIUM_PATH is set and names no file: a wrong setting must not quietly skip every journey
 */
export const findChromium = (): string | null => {
  const given = process.env['CHROMIUM_PATH']
  if (given) {
    if (existsSync(given)) return given
    throw new Error(
      `CHROMIUM_PATH names no file: ${given}. Correct it, or unset it to search the usual places.`,
    )
  }
  return [...usual, chromium.executablePath()].find((path) => existsSync(path)) ?? null
}

/** Flags for a browser in a container or in CI: no sandbox, no calls of its own to the network. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
