import { defineConfig } from '@playwright/test'
import { chromiumArgs, findChromium } from './test/support/chromium.ts'
import { envWithFonts } from './test/support/font-sets.ts'
import { refuseLiveSettings } from './test/support/live-settings.ts'

refuseLiveSettings(import.meta.dirname)

const executablePath = findChromium()
const report = process.env['JOURNEYS_REPORT']

export default defineConfig({
  testDir: 'test/journeys',
  testMatch: '**/*.journey.ts',
  // One more than the two cores this is run on at least: a quarter of the time a journey waits.
  workers: 3,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  timeout: 300_000,
  // A condition is waited for; a busy machine only takes longer to reach it.
  expect: { timeout: 60_000 },
  outputDir: 'test-results',
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    // Costs a sixth of the time; where nobody can open it, the image and the words of the failure have to do.
    trace: process.env['CI'] === undefined ? 'retain-on-failure' : 'off',
    launchOptions: {
      args: chromiumArgs,
      // The same letters on every machine; `public-fonts.journey.ts` tries other ones.
      env: envWithFonts('times'),
      ...(executablePath === null ? {} : { executablePath }),
    },
  },
})
