/// <reference lib="dom" />
import { test as base } from '@playwright/test'
import { findChromium } from '../support/chromium.ts'

type Fixtures = {
  /** what the console may say of failures that a journey makes on purpose */
  expectedComplaints: RegExp | null
  /** errors and warnings of the console, and refusals of the policy; the journey fails when any is left at its end */
  complaints: string[]
}

/** A journey through a real browser. */
export const test = base.extend<Fixtures>({
  expectedComplaints: [null, { option: true }],
  complaints: [
    async ({ context, expectedComplaints }, use) => {
      const complaints: string[] = []
      context.on('console', (message) => {
        if (!['error', 'warning'].includes(message.type())) return
        if (!expectedComplaints?.test(message.text())) complaints.push(message.text())
      })
      context.on('weberror', (error) => complaints.push(error.error().message))
      await use(complaints)
      base.expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

test.skip(findChromium() === null, 'no Chromium here (set CHROMIUM_PATH to name one)')
